import AuthEngine
import CKeyturnSQLite
import KeyturnCrypto
import OAuthCore

/// The tables of the credential store, and the sealing of what is in them.
///
/// The columns of a credential's identity are in the clear, to be looked up; its members are JSON sealed with AES-256-GCM
/// under the data key, bound to that identity, with a random nonce for each writing. Which key that is stands in the
/// clear beside them, and changes in the same transaction as the sealing.
final class CredentialDatabase {
    enum Failure: Error {
        case sqlite(SQLiteConnection.Failure)
        /// It is a database of something else, or damaged as a whole.
        case notOurs
        case anotherKey
        /// Written by a later version of this program.
        case tooNew
        /// Sealed anew under another key by another process, since this one got the key.
        case keyMoved
        /// Rows of these accounts are not what was written, or are missing; `nil`: of any account.
        case damaged(Set<String>?)
        /// It is not the database that was left here.
        case notAsLeft(StoreAnchor.Mismatch)
        /// It holds nothing, and had a key.
        case emptied
        /// The check of the key was missing or damaged, and was written anew: rows open with the key.
        case keyCheckMended
        /// The anchor cannot be read or written.
        case anchor(PrivateFile.Failure)
        /// What is to be written cannot be sealed; nothing was written.
        case cannotSeal
    }

    let path: String
    let identity: PrivateFile.Identity
    /// Whether this is a copy in memory, whose changes no file gets.
    let isCopy: Bool
    let connection: SQLiteConnection
    let random: any RandomBytes
    /// Empty, and no record, until ``unlock(with:)``.
    private(set) var key: [UInt8] = []
    private(set) var keyRecord: DataKeyRecord?
    /// Sets this opening apart from every other: another file may have come to stand at the path.
    private let opening: Int64
    /// Something was deleted whose old pages still stand in the write-ahead log.
    var holdsRemains = false

    /// Opens a file that exists, and brings an older version's to this one's. A new file has no tables yet: they come
    /// with the first key, by ``create(with:)``.
    ///
    /// - Parameter copies: leaves the file as it is and works on a copy in memory, which is empty when there is no file.
    init(
        path: String, identity: PrivateFile.Identity, random: any RandomBytes, busyMilliseconds: Int32,
        copies: Bool = false
    ) throws(Failure) {
        self.path = path
        self.identity = identity
        isCopy = copies
        self.random = random
        opening = random.bytes(8).reduce(0) { $0 << 8 | Int64($1) }
        do throws(SQLiteConnection.Failure) {
            connection =
                copies
                ? try SQLiteConnection(copyOf: identity == .none ? nil : path, busyMilliseconds: busyMilliseconds)
                : try SQLiteConnection(path: path, busyMilliseconds: busyMilliseconds)
        } catch {
            throw error.isDamage ? .notOurs : .sqlite(error)
        }
        try bringUpToDate(path: path)
    }

    deinit { key.erase() }

    /// What the file holds, told from the write-ahead log.
    var stamp: CredentialStamp? {
        connection.logState.map(stamp)
    }

    func stamp(of state: SQLiteConnection.LogState) -> CredentialStamp {
        CredentialStamp(SIMD4(state.numbers, opening))
    }

    /// Rows of a kind that there is not are left out; whoever opens them says that they are damaged.
    func keys(matching query: CredentialQuery) throws(Failure) -> [CredentialKey] {
        let (sql, values) = query.selection(of: SealedRow.identityColumns)
        var keys: [CredentialKey] = []
        try reading { seals throws(Failure) in
            try checkRows(of: query, &seals)
            try sqlite { () throws(SQLiteConnection.Failure) in
                try connection.rows(sql, values) { row in
                    if let key = CredentialKey(row) { keys.append(key) }
                }
            }
        }
        return keys
    }

    func records(matching query: CredentialQuery) throws(Failure) -> [CredentialRecord] {
        var records: [CredentialRecord] = []
        try reading { seals throws(Failure) in records = try self.records(matching: query, &seals) }
        return records
    }

    private func records(
        matching query: CredentialQuery, _ seals: inout Seals
    ) throws(Failure) -> [CredentialRecord] {
        try checkRows(of: query, &seals)
        let (sql, values) = query.selection(of: "*")
        var records: [CredentialRecord] = []
        for row in try sealedRows(sql, values) {
            // The rows of named accounts were compared with the seals already.
            let isWritten = query.homeAccountIDs == nil ? try isWritten(row, &seals) : true
            guard isWritten, let record = open(row) else { throw .damaged(query.homeAccountIDs) }
            records.append(record)
        }
        return records
    }

    private func checkRows(of query: CredentialQuery, _ seals: inout Seals) throws(Failure) {
        if query.kinds?.isEmpty == true { return }
        if let accounts = query.homeAccountIDs { try check(accounts, &seals) } else { try checkWhole(seals) }
    }

    /// All changes or none.
    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(Failure) {
        var isChanged = false
        try transaction { () throws(Failure) in
            try checkKeyIsCurrent()
            var seals = try seals()
            let changes = decide(try records(matching: query, &seals))
            isChanged = !changes.isEmpty
            guard isChanged else { return }
            for change in changes {
                if case .delete = change { holdsRemains = true }
                try apply(change, &seals)
            }
            try write(&seals, with: key)
            try forgetDigests(of: Set(changes.map(\.key.homeAccountID)))
            try deleteDamaged(changes)
        }
        if isChanged { keepAnchor() }
        removeRemains()
    }

    /// Deleted rows are overwritten in the database (`secure_delete`), but their old pages stay in the write-ahead log
    /// until it is emptied. That waits for readers; when one is too slow, the next update does it. It is not a failure
    /// of the update, which is done.
    func removeRemains() {
        guard holdsRemains else { return }
        let isBusy = try? connection.number("PRAGMA wal_checkpoint(TRUNCATE)")
        holdsRemains = isBusy != 0
    }

    private func apply(_ change: CredentialChange, _ seals: inout Seals) throws(Failure) {
        switch change {
        case .save(let record):
            var text = Array(JSONValue.object(record.members).serialized.utf8)
            defer { text.erase() }
            let row = try seal(text, for: record.key.components, with: key)
            try note(record.key, newNonce: row.nonce, &seals)
            try put(row)
        case .delete(let key):
            try note(key, newNonce: nil, &seals)
            try run(
                "DELETE FROM credential WHERE \(SealedRow.isIdentity)", key.components.map(SQLiteConnection.Value.text))
        }
    }

    func put(_ row: SealedRow) throws(Failure) {
        let values = row.identity.map(SQLiteConnection.Value.text) + [.blob(row.nonce), .blob(row.sealed)]
        try run("INSERT OR REPLACE INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
    }

    func sealedRows(_ sql: String, _ values: [SQLiteConnection.Value]) throws(Failure) -> [SealedRow] {
        var rows: [SealedRow] = []
        try sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(sql, values) { rows.append(SealedRow($0)) }
        }
        return rows
    }

    /// `nil`: the row is not what was written.
    func open(_ row: SealedRow) -> CredentialRecord? {
        guard let key = row.key, let members = members(of: row, with: self.key) else { return nil }
        return CredentialRecord(key, members)
    }

    func members(of row: SealedRow, with key: [UInt8]) -> [String: JSONValue]? {
        guard var text = text(of: row, with: key) else { return nil }
        defer { text.erase() }
        // What opens is what was sealed here, so it was checked.
        return try? JSONReader.value(of: text, in: text.indices).object
    }

    func text(of row: SealedRow, with key: [UInt8]) -> [UInt8]? {
        try? AES256GCM.open(row.sealed, key: key, nonce: row.nonce, authenticating: row.associated)
    }

    func seal(_ text: [UInt8], for identity: [String], with key: [UInt8]) throws(Failure) -> SealedRow {
        var row = SealedRow(identity: identity, nonce: random.bytes(AES256GCM.nonceLength), sealed: [])
        row.sealed = try Self.seal(text, with: key, nonce: row.nonce, associated: row.associated)
        return row
    }

    static func seal(
        _ text: [UInt8], with key: [UInt8], nonce: [UInt8], associated: [UInt8]
    ) throws(Failure) -> [UInt8] {
        do throws(CryptoFailure) {
            return try AES256GCM.seal(text, key: key, nonce: nonce, authenticating: associated)
        } catch {
            throw .cannotSeal
        }
    }

    func use(_ key: [UInt8], of record: DataKeyRecord) {
        self.key.erase()
        self.key = key
        keyRecord = record
    }

    /// Another process may have sealed everything anew: nothing may be written under the old key then.
    func checkKeyIsCurrent() throws(Failure) {
        guard try currentKeyID() == keyRecord?.id else { throw .keyMoved }
    }
}

extension CredentialDatabase {
    /// What `work` reads is of one moment, and of a store with the same key.
    func reading(_ work: (inout Seals) throws(Failure) -> Void) throws(Failure) {
        try run("BEGIN")
        defer { try? connection.run("ROLLBACK") }
        try checkKeyIsCurrent()
        var seals = try seals()
        try work(&seals)
    }

    func transaction(_ work: () throws(Failure) -> Void) throws(Failure) {
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            try work()
            try run("COMMIT")
        } catch {
            // Some failures have ended the transaction already; the first one is the one to tell.
            try? run("ROLLBACK")
            throw error
        }
    }

    func run(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws(Failure) {
        try sqlite { () throws(SQLiteConnection.Failure) in try connection.run(sql, values) }
    }

    func number(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws(Failure) -> Int64? {
        try sqlite { () throws(SQLiteConnection.Failure) in try connection.number(sql, values) }
    }

    func sqlite<Value>(_ work: () throws(SQLiteConnection.Failure) -> Value) throws(Failure) -> Value {
        do throws(SQLiteConnection.Failure) {
            return try work()
        } catch {
            throw error.isDamage || (error.code == SQLITE_ERROR && !hasOurTables()) ? .notOurs : .sqlite(error)
        }
    }
}

extension CredentialQuery {
    /// The order is that of the primary key, which is the order of ``CredentialKey``.
    fileprivate func selection(of columns: String) -> (sql: String, values: [SQLiteConnection.Value]) {
        var conditions: [String] = []
        var values: [SQLiteConnection.Value] = []
        func require(_ column: String, among texts: [String]) {
            conditions.append("\(column) IN (\(texts.map { _ in "?" }.joined(separator: ", ")))")
            values += texts.map(SQLiteConnection.Value.text)
        }
        if let kinds { require("kind", among: kinds.map(\.rawValue)) }
        if let homeAccountIDs { require("home_account_id", among: Array(homeAccountIDs)) }
        if let client { require("client", among: [client]) }
        if let target { require("target", among: [target]) }
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        return ("SELECT \(columns) FROM credential \(filter)ORDER BY \(SealedRow.identityColumns)", values)
    }
}
