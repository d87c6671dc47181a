import AuthEngine

/// Cached summaries of accounts in encrypted chunks, so that a long list needn't decrypt every record.
///
/// Missing or unreadable summaries are created again. A change of a record deletes the account's chunk in the same
/// transaction (docs/decisions/0025).
extension CredentialDatabase {
    /// For fewer accounts, reading is faster than writing a transaction.
    private static let fewestToKeep = 32
    private static let keyColumns = "kind, environment, client, realm, target"

    /// Reads everything and writes new summaries in one transaction. SQLite rejects the write if another process
    /// committed in between, so the summaries match the records. Never waits.
    func digests<Digest>(in form: DigestForm<Digest>) throws(Failure) -> CredentialDigests<Digest> {
        let stamp = stamp
        try run("BEGIN")
        // Has no effect after the commit.
        defer { try? connection.run("ROLLBACK") }
        try checkKeyIsCurrent()
        try checkWhole(seals())
        let parts = try DigestParts(try chunks(in: form)) { previous, end throws(Failure) in
            try accounts(after: previous, upTo: end, form.make)
        }
        let stampThen = parts.accountsInGaps < Self.fewestToKeep ? nil : keep(parts.gaps, in: form)
        return CredentialDigests(parts.digests, stamp: stampThen ?? stamp)
    }

    private func chunks<Digest>(in form: DigestForm<Digest>) throws(Failure) -> [DigestChunk<Digest>] {
        var chunks: [DigestChunk<Digest>] = []
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(
                "SELECT previous, last, nonce, sealed FROM account_digest WHERE form = \(Self.idOfForm) ORDER BY last",
                [.text(form.name)]
            ) { row in
                let chunk = SealedRow(
                    identity: [form.name, row.text(0), row.text(1)], nonce: row.blob(2), sealed: row.blob(3))
                guard let digests = text(of: chunk, with: key).flatMap(form.decode) else { return }
                chunks.append(DigestChunk(previous: chunk.identity[1], last: chunk.identity[2], digests: digests))
            }
        }
        return chunks
    }

    private func accounts<Digest>(
        after previous: String, upTo end: String?, _ make: ([CredentialRecord]) -> Digest?
    ) throws(Failure) -> [AccountOfGap<Digest>] {
        var accounts: [AccountOfGap<Digest>] = []
        var hasDamage = false
        var records: [CredentialRecord] = []
        func endAccount() {
            guard let homeAccountID = records.first?.key.homeAccountID else { return }
            accounts.append(AccountOfGap(homeAccountID: homeAccountID, digest: make(records)))
            records = []
        }
        let limit = end == nil ? "" : "AND home_account_id <= ? "
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(
                "SELECT * FROM credential WHERE home_account_id > ? \(limit)ORDER BY home_account_id, \(Self.keyColumns)",
                [previous, end].compactMap(\.self).map(SQLiteConnection.Value.text)
            ) { row in
                let row = SealedRow(row)
                guard let record = open(row) else { return hasDamage = true }
                if record.key.homeAccountID != records.first?.key.homeAccountID { endAccount() }
                records.append(record)
            }
        }
        endAccount()
        guard !hasDamage else { throw .damaged }
        return accounts
    }
}
