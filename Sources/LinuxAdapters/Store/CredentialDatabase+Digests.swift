import AuthEngine

/// Cached summaries of accounts in encrypted chunks, so that a long list needn't decrypt every record.
///
/// Missing or unreadable summaries are created again. A change of a record deletes the account's chunk in the same
/// transaction (docs/decisions/0025). A chunk is bound to the versions of its rows, so that an older one isn't used
/// (docs/decisions/0029).
extension CredentialDatabase {
    /// For fewer accounts, reading is faster than writing a transaction.
    private static let fewestToKeep = 32
    static let fingerprintLength = 8

    /// Reads everything and writes new summaries in one transaction. SQLite rejects the write if another process
    /// committed in between, so the summaries match the records. Never waits.
    func digests<Digest>(in form: DigestForm<Digest>) throws(Failure) -> CredentialDigests<Digest> {
        let stamp = stamp
        // Digests can be lost, so their commit doesn't wait for the disk.
        try run("PRAGMA synchronous = NORMAL")
        defer { try? connection.run("PRAGMA synchronous = FULL") }
        try run("BEGIN")
        // Has no effect after the commit.
        defer { try? connection.run("ROLLBACK") }
        try checkKeyIsCurrent()
        let fingerprinting = RowsFingerprinting(key: key)
        var rows = RowsFingerprint()
        try checkWhole(seals()) { rows.add(fingerprinting.fingerprint(group: $0)) }
        func combined(_ chunks: [DigestChunk<Digest>]) throws(Failure) -> DigestParts<Digest> {
            try DigestParts(chunks) { previous, end throws(Failure) in
                try accounts(after: previous, upTo: end, fingerprinting, form)
            }
        }
        var parts = try combined(chunks(in: form))
        // Another program put back chunks of an earlier state.
        if parts.rows != rows { parts = try combined([]) }
        guard parts.rows == rows else { throw .damaged }
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
                let (previous, last) = (row.text(0), row.text(1))
                let sealed = SealedRow(
                    identity: Self.chunkIdentity(form.name, previous, last), nonce: row.blob(2), sealed: row.blob(3))
                guard var text = text(of: sealed, with: key), text.count >= Self.fingerprintLength else { return }
                let rows = RowsFingerprint(sum: StoreSeal.number(text.suffix(Self.fingerprintLength)))
                text.removeLast(Self.fingerprintLength)
                guard let digests = form.decode(text) else { return }
                chunks.append(DigestChunk(previous: previous, last: last, digests: digests, rows: rows))
            }
        }
        return chunks
    }

    private func accounts<Digest>(
        after previous: String, upTo end: String?, _ fingerprinting: RowsFingerprinting,
        _ form: DigestForm<Digest>
    ) throws(Failure) -> [AccountOfGap<Digest>] {
        var accounts: [AccountOfGap<Digest>] = []
        var hasDamage = false
        var records: [CredentialRecord] = []
        var rows = RowsFingerprint()
        func endAccount() {
            guard let homeAccountID = records.first?.key.homeAccountID else { return }
            accounts.append(AccountOfGap(homeAccountID: homeAccountID, digest: form.make(records), rows: rows))
            records = []
            rows = RowsFingerprint()
        }
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(
                Self.recordsInOrder(isLimited: end != nil),
                [previous, end].compactMap(\.self).map(SQLiteConnection.Value.text)
            ) { row in
                let identity = row.identity
                let nonce = row.blob(6)
                guard let key = CredentialKey(identity) else { return hasDamage = true }
                if key.homeAccountID != records.first?.key.homeAccountID { endAccount() }
                if let record = form.standIn(key, records) {
                    records.append(record)
                } else {
                    let sealed = SealedRow(identity: identity, nonce: nonce, sealed: row.blob(7))
                    guard let members = members(of: sealed, with: self.key) else { return hasDamage = true }
                    records.append(CredentialRecord(key, members))
                }
                rows.add(fingerprinting.fingerprint(nonce: nonce))
            }
        }
        endAccount()
        guard !hasDamage else { throw .damaged }
        return accounts
    }

    /// The query for the records of a range of accounts, an account's own before its tokens.
    ///
    /// Merges the kinds, each in the order of the table, because an index on the account needs a search for each row.
    private static func recordsInOrder(isLimited: Bool) -> String {
        let kinds = CredentialKey.Kind.allCases.sorted { !$0.isToken && $1.isToken }.map { kind in
            """
            SELECT * FROM credential
            WHERE kind = '\(kind.rawValue)' AND home_account_id > ?1\(isLimited ? " AND home_account_id <= ?2" : "")
            """
        }
        return "\(kinds.joined(separator: " UNION ALL ")) ORDER BY home_account_id"
    }
}
