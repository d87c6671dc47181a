import AuthEngine

/// Writing chunks of digests.
extension CredentialDatabase {
    static let idOfForm = "(SELECT id FROM digest_form WHERE name = ?)"
    /// With one more all are thrown away: the program that keeps one, or its version, may be gone for good.
    private static let mostForms: Int64 = 8

    /// Writes the accounts of the gaps into chunks, and ends the transaction in which they were read.
    ///
    /// The stamp of the store with them; `nil`: they are not kept, or somebody else wrote since. That another one writes
    /// just now, or that the disk takes nothing, is not the caller's affair: the digests are known, and only have to be
    /// made again the next time. A failure that means more is met by the next one who reads or writes.
    func keep<Digest>(_ gaps: [DigestParts<Digest>.Gap], in form: DigestForm<Digest>) -> CredentialStamp? {
        do throws(Failure) {
            try prepare(form: form.name)
            for gap in gaps {
                try forget(after: gap.previous, upTo: gap.end, form: form.name)
                for chunk in gap.chunks { try put(chunk, form) }
            }
            // Nobody else commits between this and COMMIT.
            let before = connection.logState
            try run("COMMIT")
            return before.flatMap(stamp)
        } catch {
            return nil
        }
    }

    /// `nil` when more than one transaction was committed since.
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

    /// Within the transaction that changes a record of the account. Records of no account are in no digest.
    ///
    /// The chunks of one form do not overlap, so the first that ends at or behind an account is the only one that may
    /// cover it.
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

    /// No other key opens them.
    func forgetDigests() throws(Failure) { try run("DELETE FROM account_digest") }

    /// Also those that do not open: no two chunks may overlap, or a change of a record would not find them all.
    private func forget(after previous: String, upTo end: String?, form: String) throws(Failure) {
        let isBefore = end == nil ? "" : " AND previous < ?"
        try run(
            "DELETE FROM account_digest WHERE form = \(Self.idOfForm) AND last > ?\(isBefore)",
            [form, previous, end].compactMap(\.self).map(SQLiteConnection.Value.text))
    }

    private func put<Digest>(_ chunk: DigestChunk<Digest>, _ form: DigestForm<Digest>) throws(Failure) {
        let row = try seal(form.encode(chunk.digests), for: [form.name, chunk.previous, chunk.last], with: key)
        try run(
            "INSERT INTO account_digest (form, previous, last, nonce, sealed) VALUES (\(Self.idOfForm), ?, ?, ?, ?)",
            row.identity.map(SQLiteConnection.Value.text) + [.blob(row.nonce), .blob(row.sealed)])
    }
}
