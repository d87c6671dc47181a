/// Cached summaries of all accounts, one encrypted row for each form, so that a list needn't decrypt every record.
///
/// A change of an account's record deletes the summaries in the same transaction; the next list creates them again
/// (docs/decisions/0025). They are bound to the versions of the rows, so that older ones aren't used
/// (docs/decisions/0029).
extension CredentialDatabase {
    /// For fewer accounts, reading is faster than writing a transaction.
    private static let fewestToKeep = 32
    /// The maximum number of forms. Beyond it all are deleted, because their programs may no longer exist.
    private static let mostForms: Int64 = 8
    private static let fingerprintLength = 8
    private static let idOfForm = "(SELECT id FROM digest_form WHERE name = ?)"

    /// Reads everything and writes new summaries in one transaction. SQLite rejects the write if another process
    /// committed in between, so the summaries match the records. Never waits.
    func digests<Digest>(in form: DigestForm<Digest>) throws -> CredentialDigests<Digest> {
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
        try checkWhole(manifests()) { rows.add(fingerprinting.fingerprint(group: $0)) }
        if let known = try storedDigests(in: form, of: rows) { return CredentialDigests(known, stamp: stamp) }
        let made = try makeDigests(in: form, fingerprinting)
        guard made.rows == rows else { throw Failure.damaged }
        let stampThen = made.accounts < Self.fewestToKeep ? nil : keep(made.digests, of: rows, in: form)
        return CredentialDigests(made.digests, stamp: stampThen ?? stamp)
    }

    /// Deletes all digests, because a record changed or because only the old key can decrypt them.
    func forgetDigests() throws { try run("DELETE FROM account_digest") }

    /// The cached digests; `nil` when there are none, or none for these versions of the rows.
    private func storedDigests<Digest>(
        in form: DigestForm<Digest>, of rows: RowsFingerprint
    ) throws -> [Digest]? {
        var row: EncryptedRow?
        try self.rows(
            "SELECT nonce, sealed FROM account_digest WHERE form = \(Self.idOfForm) LIMIT 1", [.text(form.name)]
        ) { row = EncryptedRow(identity: Self.identity(of: form.name), nonce: $0.blob(0), encrypted: $0.blob(1)) }
        guard var text = row.flatMap({ text(of: $0, with: key) }), text.count >= Self.fingerprintLength,
            RowsFingerprint(sum: StoreManifest.number(text.suffix(Self.fingerprintLength))) == rows
        else { return nil }
        text.removeLast(Self.fingerprintLength)
        return form.decode(text)
    }

    private func makeDigests<Digest>(
        in form: DigestForm<Digest>, _ fingerprinting: RowsFingerprinting
    ) throws -> (digests: [Digest], accounts: Int, rows: RowsFingerprint) {
        var made: (digests: [Digest], accounts: Int, rows: RowsFingerprint) = ([], 0, RowsFingerprint())
        var hasDamage = false
        var records: [CredentialRecord] = []
        func finishAccount() {
            guard !records.isEmpty else { return }
            if let digest = form.make(records) { made.digests.append(digest) }
            made.accounts += 1
            records = []
        }
        try rows(Self.recordsInOrder) { row in
            let identity = row.identity
            let nonce = row.blob(6)
            guard let key = CredentialKey(identity) else { return hasDamage = true }
            if key.homeAccountID != records.first?.key.homeAccountID { finishAccount() }
            if let record = form.standIn(key, records) {
                records.append(record)
            } else {
                let encrypted = EncryptedRow(identity: identity, nonce: nonce, encrypted: row.blob(7))
                guard let members = members(of: encrypted, with: self.key) else { return hasDamage = true }
                records.append(CredentialRecord(key, members))
            }
            made.rows.add(fingerprinting.fingerprint(nonce: nonce))
        }
        finishAccount()
        guard !hasDamage else { throw Failure.damaged }
        return made
    }

    /// The query for the records of all accounts, an account's own before its tokens.
    ///
    /// Merges the kinds, each in the order of the table, because an index on the account needs a search for each row.
    private static var recordsInOrder: String {
        let kinds = CredentialKey.Kind.allCases.sorted { !$0.isToken && $1.isToken }.map {
            "SELECT * FROM credential WHERE kind = '\($0.rawValue)' AND home_account_id > ''"
        }
        return "\(kinds.joined(separator: " UNION ALL ")) ORDER BY home_account_id"
    }

    /// Writes the digests and commits the transaction in which the accounts were read.
    ///
    /// Returns the stamp, or `nil` when the digests weren't saved or another process has written since. Errors are
    /// ignored, because the digests are already known. A serious error recurs at the next access.
    private func keep<Digest>(
        _ digests: [Digest], of rows: RowsFingerprint, in form: DigestForm<Digest>
    ) -> CredentialStamp? {
        do {
            try prepare(form: form.name)
            let row = try encrypt(
                form.encode(digests) + StoreManifest.bytes(rows.sum), for: Self.identity(of: form.name), with: key)
            try run("DELETE FROM account_digest WHERE form = \(Self.idOfForm)", [.text(form.name)])
            // The range of a digest, from when there were several for each form.
            try run(
                "INSERT INTO account_digest (form, previous, last, nonce, sealed) VALUES (\(Self.idOfForm), '', '', ?, ?)",
                [.text(form.name), .blob(row.nonce), .blob(row.encrypted)])
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

    private func prepare(form: String) throws {
        guard try number("SELECT id FROM digest_form WHERE name = ?", [.text(form)]) == nil else { return }
        if try number("SELECT count(*) FROM digest_form") ?? 0 >= Self.mostForms {
            try forgetDigests()
            try run("DELETE FROM digest_form")
        }
        try run("INSERT INTO digest_form (name) VALUES (?)", [.text(form)])
    }

    /// The associated data of a row. Differs from that of earlier versions.
    private static func identity(of form: String) -> [String] { ["digests", form] }
}
