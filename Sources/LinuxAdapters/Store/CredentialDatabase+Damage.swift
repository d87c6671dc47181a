import AuthEngine

/// Rows that do not open.
extension CredentialDatabase {
    /// Moves them, as they are, to a table of their own, so that the rest stays usable; whoever has a copy of the good
    /// row, or finds out what changed it, still has what was there.
    func putAside(_ rows: [SealedRow]) throws(Failure) {
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            for row in rows { try putAside(row) }
            try forgetDigests(of: Set(rows.map { $0.identity[1] }))
        }
    }

    private func putAside(_ row: SealedRow) throws(Failure) {
        let isThatRow = "\(SealedRow.isIdentity) AND \(Self.hasContent)"
        let content: [SQLiteConnection.Value] = [.blob(row.nonce), .blob(row.sealed)]
        let values = row.identity.map(SQLiteConnection.Value.text) + content
        try run(
            "INSERT INTO damaged_credential SELECT *, (SELECT key_id FROM data_key) FROM credential WHERE \(isThatRow)",
            values)
        try run("DELETE FROM credential WHERE \(isThatRow)", values)
        // Gone means that this moved it, or another process did or wrote it anew. A row that stays has an identity that
        // is no text, and then the file itself is damaged.
        let left = try sealedRows("SELECT * FROM credential WHERE \(Self.hasContent)", content)
        guard !left.contains(where: { $0.identity == row.identity }) else { throw .notOurs }
    }

    func damagedCount() throws(Failure) -> Int {
        Int(try number("SELECT count(*) FROM damaged_credential") ?? 0)
    }

    /// Deletes what was put aside of accounts that the changes take away: they lose records and get no token. Such a row
    /// may still open. Rows whose account has no record left go too: the account in them may be what was damaged.
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
    /// The account that the change gives a token.
    fileprivate var accountGivenToken: String? {
        guard case .save(let record) = self else { return nil }
        switch record.key.kind {
        case .accessToken, .boundAccessToken, .refreshToken, .idToken: return record.key.homeAccountID
        case .account, .appMetadata, .accountMetadata, .proofKey, .document: return nil
        }
    }
}
