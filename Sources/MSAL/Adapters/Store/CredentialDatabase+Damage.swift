extension CredentialDatabase {
    struct Damage {
        enum Manifest {
            case intact
            /// The manifest was missing. The anchor's copy took its place, so that every other damage was found.
            case restored
            /// The manifest was missing and the user accepted the store. Missing or outdated rows can't be detected.
            case lost
        }

        var rows: [EncryptedRow] = []
        /// The number of damaged rows that were deleted, because their content comes again with the next response.
        var dropped = 0
        var missing = 0
        var manifest = Manifest.intact
    }

    /// Moves damaged rows unchanged to a separate table, so that the rest stays usable and the rows can be examined.
    /// Writes manifests of the rest. Checks the whole store, so that one change of it is reported once.
    func putAside() throws -> Damage {
        var damage = Damage()
        try transaction {
            try checkKeyIsCurrent()
            var manifests = try readManifests()
            if manifests == nil {
                try makeManifestTable()
                do {
                    manifests = Manifests(try anchoredManifest(readAnchor()))
                    damage.manifest = .restored
                } catch Failure.notAsLeft where acceptsAsFound { damage.manifest = .lost }
            }
            try putAsideRows(notIn: manifests, &damage)
            try forgetDigests()
        }
        keepAnchor()
        return damage
    }

    /// Metadata is fetched again. Returns `false` and changes nothing if there is no such damage, or other damage too.
    func dropDamagedMetadata() throws -> Bool {
        var damage = Damage()
        do {
            try transaction {
                try checkKeyIsCurrent()
                try putAsideRows(notIn: try manifests(), &damage)
                guard damage.dropped > 0, damage.rows.isEmpty, damage.missing == 0 else { throw Failure.damaged }
            }
        } catch Failure.damaged { return false }
        keepAnchor()
        return true
    }

    /// Puts damaged rows aside and writes manifests of the others, because the old ones may be damaged too.
    /// - Parameter manifests: the manifests that the rows must match, or `nil` to keep all rows that can be decrypted.
    private func putAsideRows(notIn manifests: Manifests?, _ damage: inout Damage) throws {
        let count = try number("SELECT count(*) FROM credential") ?? 0
        damage.missing = Int(max(0, (manifests?.store.rows ?? 0) - count))
        try writeManifests(after: manifests?.store.generation ?? 0, with: key) { row in
            if try manifests.map({ try isWritten(row, $0) }) ?? true, open(row) != nil { return row }
            if Self.isMetadata(row) {
                try delete(row)
                damage.dropped += 1
            } else {
                try putAside(row)
                damage.rows.append(row)
            }
            return nil
        }
    }

    /// Whether the row belongs to no account, and its content comes again with a response of the authority.
    private static func isMetadata(_ row: EncryptedRow) -> Bool {
        row.identity[1].isEmpty && metadataKinds.map(\.rawValue).contains(row.identity[0])
    }

    private static let metadataKinds: [CredentialKey.Kind] = [.document, .appMetadata]

    private func putAside(_ row: EncryptedRow) throws {
        try run(
            """
            INSERT INTO damaged_credential SELECT *, (SELECT key_id FROM data_key) FROM credential
                WHERE \(EncryptedRow.isIdentity) AND \(Self.hasContent)
            """, row.values + row.content)
        try delete(row)
    }

    private func delete(_ row: EncryptedRow) throws {
        try run(
            "DELETE FROM credential WHERE \(EncryptedRow.isIdentity) AND \(Self.hasContent)", row.values + row.content)
        // A remaining row has keys that aren't text, so the file itself is damaged.
        let left = try encryptedRows("SELECT * FROM credential WHERE \(Self.hasContent)", row.content)
        guard !left.contains(where: { $0.identity == row.identity }) else { throw Failure.notOurs }
    }

    /// The number of rows that were set aside. Earlier versions also set metadata aside, which contains no secret.
    func damagedCount() throws -> Int {
        let kinds = Self.metadataKinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return Int(try number("SELECT count(*) FROM damaged_credential WHERE kind NOT IN (\(kinds))") ?? 0)
    }

    func deleteAllDamaged() throws -> Int {
        var count = 0
        try transaction {
            count = try damagedCount()
            try run("DELETE FROM damaged_credential")
        }
        holdsRemains = true
        removeRemains()
        return count
    }

    /// Deletes the damaged rows of accounts that lose records and get no token, because such a row may still be
    /// readable. Also deletes damaged rows whose account has no other record.
    func deleteDamaged(_ changes: [CredentialChange]) throws {
        let given = changes.compactMap { change -> String? in
            guard case .save(let record) = change, record.key.kind.isToken else { return nil }
            return record.key.homeAccountID
        }
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
