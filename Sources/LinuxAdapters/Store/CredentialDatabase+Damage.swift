import AuthEngine

/// Handles damaged rows.
extension CredentialDatabase {
    /// The damage found in some accounts.
    struct Damage {
        /// The rows that can't be decrypted or are outdated. They were set aside.
        var rows: [SealedRow] = []
        /// The number of missing rows.
        var missing = 0
        /// Whether the store's seal is missing. Then other missing or outdated rows can't be detected.
        var isSealLost = false
    }

    /// Moves damaged rows unchanged to a separate table, so that the rest stays usable and the rows can be examined.
    /// Seals the rest.
    ///
    /// - Parameters:
    ///   - homeAccountIDs: the accounts to check, or `nil` for all.
    ///   - acceptsAsFound: whether to accept a store without a readable anchor.
    func putAside(_ homeAccountIDs: Set<String>?, acceptsAsFound: Bool) throws(Failure) -> Damage {
        var damage = Damage()
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            guard var seals = try keptSeals() else {
                return damage = try sealAnew(after: try rememberedGeneration(acceptsAsFound: acceptsAsFound))
            }
            if let homeAccountIDs {
                damage = try putAside(of: homeAccountIDs, &seals)
            } else {
                damage = try putAside(&seals)
            }
            guard homeAccountIDs == nil || !damage.rows.isEmpty || damage.missing > 0 else { return }
            try write(&seals, with: key)
            // The accounts of missing rows are unknown.
            if damage.missing > 0 { return try forgetDigests() }
            try forgetDigests(of: Set(damage.rows.map { $0.identity[1] }))
        }
        keepAnchor()
        return damage
    }

    private func putAside(of homeAccountIDs: Set<String>, _ seals: inout Seals) throws(Failure) -> Damage {
        var damage = Damage()
        for homeAccountID in homeAccountIDs {
            let rows = try sealedRows("SELECT * FROM credential WHERE home_account_id = ?", [.text(homeAccountID)])
            let good = try goodRows(rows, &damage, &seals)
            damage.missing += max(0, try forget(homeAccountID, &seals) - rows.count)
            for row in good { note(row, &seals) }
        }
        return damage
    }

    /// Puts damaged rows aside and seals the intact rows again, because seals may be damaged too.
    private func putAside(_ seals: inout Seals) throws(Failure) -> Damage {
        var damage = Damage()
        var rebuilt = Seals(generation: seals.store.generation)
        let count = try number("SELECT count(*) FROM credential") ?? 0
        damage.missing = Int(max(0, seals.store.rows - count))
        var last: SealedRow?
        while let batch = try rows(after: last), let end = batch.last {
            for row in try goodRows(batch, &damage, &seals) { note(row, &rebuilt) }
            last = end
        }
        seals = rebuilt
        return damage
    }

    /// Seals all rows that can be decrypted. The new generation follows the given one, so that an earlier database is
    /// still rejected.
    private func sealAnew(after generation: Int64) throws(Failure) -> Damage {
        var damage = Damage()
        damage.isSealLost = true
        try makeSealTable()
        try run("DELETE FROM seal")
        var seals = Seals(generation: generation)
        var last: SealedRow?
        while let batch = try rows(after: last), let end = batch.last {
            for row in batch {
                if open(row) != nil {
                    note(row, &seals)
                } else {
                    try putAside(row)
                    damage.rows.append(row)
                }
            }
            last = end
        }
        try write(&seals, with: key)
        try forgetDigests()
        return damage
    }

    private func goodRows(
        _ rows: [SealedRow], _ damage: inout Damage, _ seals: inout Seals
    ) throws(Failure) -> [SealedRow] {
        var good: [SealedRow] = []
        for row in rows {
            let isWritten = try isWritten(row, &seals)
            if isWritten && open(row) != nil {
                good.append(row)
            } else {
                try putAside(row)
                damage.rows.append(row)
            }
        }
        return good
    }

    private func putAside(_ row: SealedRow) throws(Failure) {
        let isThatRow = "\(SealedRow.isIdentity) AND \(Self.hasContent)"
        let content: [SQLiteConnection.Value] = [.blob(row.nonce), .blob(row.sealed)]
        let values = row.identity.map(SQLiteConnection.Value.text) + content
        try run(
            "INSERT INTO damaged_credential SELECT *, (SELECT key_id FROM data_key) FROM credential WHERE \(isThatRow)",
            values)
        try run("DELETE FROM credential WHERE \(isThatRow)", values)
        // A remaining row has keys that aren't text, so the file itself is damaged.
        let left = try sealedRows("SELECT * FROM credential WHERE \(Self.hasContent)", content)
        guard !left.contains(where: { $0.identity == row.identity }) else { throw .notOurs }
    }

    func damagedCount() throws(Failure) -> Int {
        Int(try number("SELECT count(*) FROM damaged_credential") ?? 0)
    }

    /// Deletes all damaged rows, and returns their number.
    func deleteAllDamaged() throws(Failure) -> Int {
        let count = try damagedCount()
        guard count > 0 else { return 0 }
        try run("DELETE FROM damaged_credential")
        holdsRemains = true
        removeRemains()
        return count
    }

    /// Deletes the damaged rows of accounts that lose records and get no token, because such a row may still be
    /// readable. Also deletes damaged rows whose account has no other record.
    func deleteDamaged(_ changes: [CredentialChange]) throws(Failure) {
        let given = Set(changes.compactMap(\.accountGivenToken))
        let takenAway = Set(changes.map(\.key.homeAccountID)).subtracting(given)
        for homeAccountID in takenAway where !homeAccountID.isEmpty {
            guard try damagedCount() > 0 else { return }
            holdsRemains = true
            try run(
                """
                DELETE FROM damaged_credential WHERE home_account_id = ?
                    OR home_account_id NOT IN (SELECT home_account_id FROM credential)
                """, [.text(homeAccountID)])
        }
    }

    private static let hasContent = "CAST(nonce AS BLOB) = ? AND CAST(sealed AS BLOB) = ?"
}

extension CredentialChange {
    /// The account that gets a token.
    fileprivate var accountGivenToken: String? {
        guard case .save(let record) = self, record.key.kind.isToken else { return nil }
        return record.key.homeAccountID
    }
}
