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

    private static let hasContent = "CAST(nonce AS BLOB) = ? AND CAST(sealed AS BLOB) = ?"
}
