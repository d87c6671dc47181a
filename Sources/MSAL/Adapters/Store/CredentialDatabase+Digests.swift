import KeyturnCrypto

/// Cached summaries of all accounts, one encrypted row for each form, so that a list needn't decrypt every record. Each
/// is bound to the versions of its account's rows: a list makes only those of changed accounts again, and uses no older
/// one (docs/decisions/0025, 0029).
extension CredentialDatabase {
    private struct Listed<Digest> {
        var account: String
        /// Its ``AccountPlace/account``.
        var place: UInt64
        var versions: UInt64
        /// The stored bytes. `nil` for a new digest.
        var bytes: ArraySlice<UInt8>?
        /// `nil` also for one that wasn't decoded.
        var digest: Digest?
    }

    /// For fewer accounts, reading is faster than writing a transaction.
    private static let fewestToKeep = 32
    /// The maximum number of other forms. Beyond it all are deleted, because their programs may no longer exist.
    private static let mostForms: Int64 = 7

    /// Reads everything and writes new summaries in one transaction. SQLite rejects the write if another process
    /// committed in between, so the summaries match the records. Never waits.
    func digests<Digest>(in form: DigestForm<Digest>) throws -> CredentialDigests<Digest> {
        closeLook()
        var stamp = stamp
        // Digests can be lost, so their commit doesn't wait for the disk.
        try run("PRAGMA synchronous = NORMAL")
        defer { try? connection.run("PRAGMA synchronous = FULL") }
        try run("BEGIN")
        // Has no effect after the commit.
        defer { try? connection.run("ROLLBACK") }
        try checkKeyIsCurrent()
        let versions = try versions(of: manifests())
        let known = try storedDigests(in: form, of: versions)
        if known.count == versions.count { return CredentialDigests(all: known.compactMap(\.digest), stamp: stamp) }
        let all = try completed(known, in: form)
        guard all.count == versions.count, all.allSatisfy({ $0.versions == versions[$0.place] }) else {
            throw Failure.damaged
        }
        if all.count >= Self.fewestToKeep {
            let version = try dataVersion
            // Errors are ignored, because the digests are known. A serious one recurs at the next access.
            let isWritten = (try? keep(all, in: form)) != nil
            let own = self.stamp
            // Others may have committed between the commit and the stamp.
            if isWritten, (try? dataVersion) == version { stamp = own }
        }
        return CredentialDigests(all: all.compactMap(\.digest), stamp: stamp)
    }

    /// Only the commits of other connections change it.
    private var dataVersion: Int64? { get throws { try number("PRAGMA data_version") } }

    /// Deletes all digests, because they name a removed account or because only the old key can decrypt them.
    func forgetDigests() throws { try run("DELETE FROM account_digest") }

    /// The versions of each account's rows as one number: the sum of their nonces, which are random.
    private func versions(of manifests: Manifests) throws -> [UInt64: UInt64] {
        var versions: [UInt64: UInt64] = [:]
        for group in try checkWhole(manifests) {
            for mark in group.marks { versions[mark.account, default: 0] &+= mark.nonceHead }
        }
        versions[AccountPlace("").account] = nil
        return versions
    }

    private func storedDigests<Digest>(
        in form: DigestForm<Digest>, of versions: [UInt64: UInt64]
    ) throws -> [Listed<Digest>] {
        var row: EncryptedRow?
        try rows("SELECT nonce, sealed FROM account_digest WHERE form = ? LIMIT 1", [Self.number(of: form.name)]) {
            row = EncryptedRow(identity: Self.identity(of: form.name), nonce: $0.blob(0), encrypted: $0.blob(1))
        }
        var rest = row.flatMap { text(of: $0, with: key) }?[...] ?? []
        func next(_ count: Int) -> ArraySlice<UInt8> {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number<Number: FixedWidthInteger>() -> Number { StoreManifest.number(next(Number.bitWidth / 8)) }
        var known: [Listed<Digest>] = []
        while !rest.isEmpty {
            let (place, version, nameLength, length): (UInt64, UInt64, UInt32, UInt32) = (
                number(), number(), number(), number()
            )
            let (account, bytes) = (next(Int(nameLength)), next(Int(length)))
            guard versions[place] == version else { continue }
            var listed = Listed<Digest>(
                account: String(decoding: account, as: UTF8.self), place: place, versions: version, bytes: bytes)
            if !bytes.isEmpty, form.isWanted(bytes) {
                guard let digest = form.decode(Array(bytes)) else { continue }
                listed.digest = digest
            }
            known.append(listed)
        }
        return known
    }

    private func completed<Digest>(_ known: [Listed<Digest>], in form: DigestForm<Digest>) throws -> [Listed<Digest>] {
        // Bytes, because different names can be equal as strings.
        let accounts = Set(known.map { Array($0.account.utf8) })
        var others: [String] = []
        try rows("SELECT DISTINCT home_account_id FROM credential WHERE home_account_id > ''") { row in
            let account = row.text(0)
            if !accounts.contains(Array(account.utf8)) { others.append(account) }
        }
        if others.count > known.count { return try makeDigests(in: form) }
        let made = try others.flatMap { try makeDigests(in: form, of: $0) }
        return (known + made).sorted { $0.account.utf8.lexicographicallyPrecedes($1.account.utf8) }
    }

    private func makeDigests<Digest>(
        in form: DigestForm<Digest>, of account: String? = nil
    ) throws -> [Listed<Digest>] {
        var (made, versions, hasDamage): ([Listed<Digest>], UInt64, Bool) = ([], 0, false)
        var records: [CredentialRecord] = []
        func finishAccount() {
            guard let account = records.first?.key.homeAccountID else { return }
            let place = AccountPlace(account).account
            made.append(Listed(account: account, place: place, versions: versions, digest: form.make(records)))
            (records, versions) = ([], 0)
        }
        try rows(Self.records(where: account == nil ? "> ''" : "= ?1"), account.map { [.text($0)] } ?? []) { row in
            let encrypted = EncryptedRow(row)
            guard let key = encrypted.key else { return hasDamage = true }
            if records.first.map({ !key.homeAccountID.utf8.elementsEqual($0.key.homeAccountID.utf8) }) == true {
                finishAccount()
            }
            guard let record = form.standIn(key, records) ?? open(encrypted) else { return hasDamage = true }
            records.append(record)
            versions &+= StoreManifest.number(encrypted.nonce.prefix(8))
        }
        finishAccount()
        guard !hasDamage else { throw Failure.damaged }
        return made
    }

    /// The query for the records of accounts, an account's own before its tokens. Merges the kinds, each in the order
    /// of the table, because an index on the account needs a search for each row.
    private static func records(where condition: String) -> String {
        let kinds = CredentialKey.Kind.allCases.sorted { !$0.isToken && $1.isToken }.map {
            "SELECT * FROM credential WHERE kind = '\($0.rawValue)' AND home_account_id \(condition)"
        }
        return "\(kinds.joined(separator: " UNION ALL ")) ORDER BY home_account_id"
    }

    /// Writes the digests and commits the transaction in which the accounts were read.
    private func keep<Digest>(_ digests: [Listed<Digest>], in form: DigestForm<Digest>) throws {
        let text = digests.reduce(into: [UInt8]()) { text, listed in
            let bytes = listed.bytes ?? listed.digest.map(form.encode)?[...] ?? []
            text += StoreManifest.bytes(listed.place) + StoreManifest.bytes(listed.versions)
            text += StoreManifest.bytes(UInt32(listed.account.utf8.count)) + StoreManifest.bytes(UInt32(bytes.count))
            text += listed.account.utf8
            text += bytes
        }
        let row = try encrypt(text, for: Self.identity(of: form.name), with: key)
        let number = Self.number(of: form.name)
        let others = try self.number("SELECT count(*) FROM account_digest WHERE form != ?", [number]) ?? 0
        if others > Self.mostForms { try forgetDigests() }
        try run("DELETE FROM account_digest WHERE form = ?", [number])
        // The range of a digest, from when there were several for each form.
        try run(
            "INSERT INTO account_digest (form, previous, last, nonce, sealed) VALUES (?, '', '', ?, ?)",
            [number, .blob(row.nonce), .blob(row.encrypted)])
        try run("COMMIT")
    }

    /// The number of a form in the table, unlike the small ones of earlier versions.
    private static func number(of form: String) -> SQLiteConnection.Value {
        let number: Int64 = StoreManifest.number(SHA2.sha256(Array(form.utf8)).prefix(8))
        return .text("\(number)")
    }

    /// The associated data of a row. Differs from that of earlier versions.
    private static func identity(of form: String) -> [String] { ["account digests", form] }
}
