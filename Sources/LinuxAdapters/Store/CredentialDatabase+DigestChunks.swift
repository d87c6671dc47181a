import AuthEngine

/// Writes chunks of digests.
extension CredentialDatabase {
    static let idOfForm = "(SELECT id FROM digest_form WHERE name = ?)"
    /// The maximum number of forms. Beyond it all are deleted, because their programs may no longer exist.
    private static let mostForms: Int64 = 8

    /// Writes the missing digests in chunks and commits the transaction in which the accounts were read.
    ///
    /// Returns the stamp, or `nil` when the digests weren't saved or another process has written since. Errors are
    /// ignored, because the digests are already known. A serious error recurs at the next access.
    func keep<Digest>(_ gaps: [DigestParts<Digest>.Gap], in form: DigestForm<Digest>) -> CredentialStamp? {
        do throws(Failure) {
            try prepare(form: form.name)
            for gap in gaps {
                try forget(after: gap.previous, upTo: gap.end, form: form.name)
                for chunk in gap.chunks { try put(chunk, form) }
            }
            // The write lock prevents other commits before COMMIT.
            let before = connection.logState
            try run("COMMIT")
            return before.flatMap(stamp)
        } catch {
            return nil
        }
    }

    /// The stamp, or `nil` when more than one transaction was committed since.
    private func stamp(oneCommitAfter before: SQLiteConnection.LogState) -> CredentialStamp? {
        guard let after = connection.logState, after.isOneCommitAfter(before) else { return nil }
        return stamp(of: after)
    }

    private func prepare(form: String) throws(Failure) {
        guard try number("SELECT id FROM digest_form WHERE name = ?", [.text(form)]) == nil else { return }
        if try number("SELECT count(*) FROM digest_form") ?? 0 >= Self.mostForms {
            try forgetDigests()
            try run("DELETE FROM digest_form")
        }
        try run("INSERT INTO digest_form (name) VALUES (?)", [.text(form)])
    }

    /// Deletes the digests of accounts, in the transaction that changes a record of theirs. Records without an account
    /// have no digest.
    ///
    /// The chunks of a form don't overlap, so only the first one that ends at or after an account can contain it.
    func forgetDigests(of homeAccountIDs: Set<String>) throws(Failure) {
        for homeAccountID in homeAccountIDs where !homeAccountID.isEmpty {
            try run(
                """
                DELETE FROM account_digest WHERE previous < ? AND rowid IN (
                    SELECT (SELECT rowid FROM account_digest WHERE form = digest_form.id AND last >= ?
                        ORDER BY last LIMIT 1) FROM digest_form)
                """, [.text(homeAccountID), .text(homeAccountID)])
        }
    }

    /// Deletes all digests, because only the old key can decrypt them.
    func forgetDigests() throws(Failure) { try run("DELETE FROM account_digest") }

    /// Deletes chunks in a range, even unreadable ones: chunks must not overlap, or a change wouldn't find them all.
    private func forget(after previous: String, upTo end: String?, form: String) throws(Failure) {
        let isBefore = end == nil ? "" : " AND previous < ?"
        try run(
            "DELETE FROM account_digest WHERE form = \(Self.idOfForm) AND last > ?\(isBefore)",
            [form, previous, end].compactMap(\.self).map(SQLiteConnection.Value.text))
    }

    private func put<Digest>(_ chunk: DigestChunk<Digest>, _ form: DigestForm<Digest>) throws(Failure) {
        let row = try seal(
            form.encode(chunk.digests) + StoreSeal.bytes(chunk.rows.sum),
            for: Self.chunkIdentity(form.name, chunk.previous, chunk.last), with: key)
        try run(
            "INSERT INTO account_digest (form, previous, last, nonce, sealed) VALUES (\(Self.idOfForm), ?, ?, ?, ?)",
            [.text(form.name), .text(chunk.previous), .text(chunk.last), .blob(row.nonce), .blob(row.sealed)])
    }

    /// The associated data of a chunk. Differs from that of earlier versions, whose chunks have no fingerprint.
    static func chunkIdentity(_ form: String, _ previous: String, _ last: String) -> [String] {
        ["digests", form, previous, last]
    }
}
