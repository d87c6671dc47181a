import CKeyturnSQLite
import KeyturnCrypto
import OAuthCore

/// The tables of the credential store. Key columns are plain, for queries; members are JSON, encrypted with AES-256-GCM
/// under the data key and bound to the key columns, with a random nonce for each version. The key's location is plain
/// and changes in the same transaction as the encryption.
final class CredentialDatabase {
    /// Failures of SQLite and of the anchor's file stay as they are.
    enum Failure: Error {
        /// Another program's database, or damaged as a whole.
        case notOurs
        case anotherKey
        case tooNew
        /// Another process encrypted the database with another key in the meantime.
        case keyMoved
        case damaged
        case foreignObjects
        case notAsLeft(StoreAnchor.Mismatch)
        /// The database is empty although it had a key.
        case emptied
        /// The disk has no room for new tokens, with the `errno`.
        case noRoom(Int32)
        /// The data can't be encrypted; nothing was written.
        case cannotEncrypt
    }

    let path: String
    let identity: PrivateFile.Identity
    /// Whether this is a copy in memory, whose changes are lost.
    let isCopy: Bool
    /// Whether to accept and remember a replaced database.
    let acceptsAsFound: Bool
    let connection: SQLiteConnection
    let random: any RandomBytes
    /// Empty until ``unlock(with:)``, like the record.
    private(set) var key: [UInt8] = []
    private(set) var keyRecord: DataKeyRecord?
    var found = Found()
    /// Whether the read transaction of ``look()`` is open, so that the first read needs none of its own.
    private var isLooking = false
    private var isConfigured = false
    /// Distinguishes this connection from others, because the file may be replaced.
    private let opening: Int64
    /// The version of the schema that ``checkSchema()`` compared.
    var checkedSchema: Int64?
    /// Whether deleted data remains in the write-ahead log.
    var holdsRemains = false

    /// Opens and migrates an existing file; a new one gets its tables in ``create(with:)``. `copies`: whether to work
    /// on a copy in memory, which is empty without a file.
    init(
        path: String, identity: PrivateFile.Identity, random: any RandomBytes, busyMilliseconds: Int32,
        copies: Bool = false, acceptsAsFound: Bool = false
    ) throws {
        self.path = path
        self.identity = identity
        isCopy = copies
        // A copy has no anchor to write.
        self.acceptsAsFound = acceptsAsFound && !copies
        self.random = random
        opening = random.bytes(8).reduce(0) { $0 << 8 | Int64($1) }
        // Before a copy, because another process may change both in between.
        let anchor = try StoreAnchor.read(beside: path)
        do {
            connection =
                copies
                ? try SQLiteConnection(copyOf: identity == .none ? nil : path, busyMilliseconds: busyMilliseconds)
                : try SQLiteConnection(path: path, busyMilliseconds: busyMilliseconds)
        } catch {
            if error.isDamage { throw Failure.notOurs }
            throw error
        }
        found.anchor = anchor
        try protect()
        try bringUpToDate(path: path)
    }

    deinit { key.erase() }

    var stamp: CredentialStamp? { connection.logState.map { CredentialStamp(SIMD4($0.numbers, opening)) } }

    func records(matching query: CredentialQuery) throws -> [CredentialRecord] {
        try snapshot {
            try checkKeyIsCurrent()
            return try records(matching: query, manifests())
        }
    }

    private func records(matching query: CredentialQuery, _ manifests: Manifests) throws -> [CredentialRecord] {
        if query.kinds?.isEmpty == true { return [] }
        if let accounts = query.homeAccountIDs { try check(accounts, manifests) } else { try checkWhole(manifests) }
        let (sql, values) = query.selection
        return try encryptedRows(sql, values).map { row in
            // Rows of named accounts were already compared with the manifests.
            let isWritten = query.homeAccountIDs == nil ? try isWritten(row, manifests) : true
            guard isWritten, let record = open(row) else { throw Failure.damaged }
            return record
        }
    }

    func update(matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]) throws {
        var isChanged = false
        try transaction {
            try checkKeyIsCurrent()
            let manifests = try manifests()
            let changes = decide(try records(matching: query, manifests))
            isChanged = !changes.isEmpty
            guard isChanged else { return }
            for change in changes { try apply(change, manifests) }
            try write(manifests, with: key)
            let removesName = changes.contains { change in
                guard case .delete(let key) = change else { return false }
                return [.account, .idToken].contains(key.kind)
            }
            // Otherwise the next list replaces them.
            if removesName { try forgetDigests() }
            try deleteDamaged(changes)
        }
        // An anchor that a power failure brings back is older than the database, as if the process had ended here.
        if isChanged { keepAnchor(syncsName: false) }
        removeRemains()
    }

    /// Empties the write-ahead log, which still has old pages of deleted rows; the database itself overwrites them
    /// (`secure_delete`). If a reader blocks it, the next update tries again.
    func removeRemains() {
        guard holdsRemains else { return }
        let isBusy = try? connection.number("PRAGMA wal_checkpoint(TRUNCATE)")
        holdsRemains = isBusy != 0
    }

    private func apply(_ change: CredentialChange, _ manifests: Manifests) throws {
        var old = EncryptedRow(identity: change.key.components, nonce: [], encrypted: [])
        try rows("SELECT nonce FROM credential WHERE \(EncryptedRow.isIdentity)", old.values) { old.nonce = $0.blob(0) }
        switch change {
        case .save(let record):
            var text = Array(JSONValue.object(record.members).serialized.utf8)
            defer { text.erase() }
            let row = try encrypt(text, for: old.identity, with: key)
            try note(record.key.homeAccountID, from: old.nonce, to: row.nonce, manifests)
            try put(row)
        case .delete(let key):
            holdsRemains = true
            try note(key.homeAccountID, from: old.nonce, to: nil, manifests)
            try run("DELETE FROM credential WHERE \(EncryptedRow.isIdentity)", old.values)
        }
    }

    func put(_ row: EncryptedRow) throws {
        try run("INSERT OR REPLACE INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row.values + row.content)
    }

    func encryptedRows(_ sql: String, _ values: [SQLiteConnection.Value]) throws -> [EncryptedRow] {
        var rows: [EncryptedRow] = []
        try self.rows(sql, values) { rows.append(EncryptedRow($0)) }
        return rows
    }

    /// Decrypts a row, or returns `nil` when it is damaged.
    func open(_ row: EncryptedRow) -> CredentialRecord? {
        guard let key = row.key, var text = text(of: row, with: self.key) else { return nil }
        defer { text.erase() }
        // Decrypted data was written here, and so was checked.
        let members = try? JSONReader.value(of: text, in: text.indices).object
        return members.map { CredentialRecord(key, $0) }
    }

    func text(of row: EncryptedRow, with key: [UInt8]) -> [UInt8]? {
        try? AES256GCM.decrypt(row.encrypted, key: key, nonce: row.nonce, authenticating: row.associated)
    }

    func encrypt(_ text: [UInt8], for identity: [String], with key: [UInt8]) throws -> EncryptedRow {
        var row = EncryptedRow(identity: identity, nonce: random.bytes(AES256GCM.nonceLength), encrypted: [])
        row.encrypted = try Self.encrypt(text, with: key, nonce: row.nonce, associated: row.associated)
        return row
    }

    static func encrypt(_ text: [UInt8], with key: [UInt8], nonce: [UInt8], associated: [UInt8]) throws -> [UInt8] {
        guard let bytes = try? AES256GCM.encrypt(text, key: key, nonce: nonce, authenticating: associated) else {
            throw Failure.cannotEncrypt
        }
        return bytes
    }

    func use(_ key: [UInt8], of record: DataKeyRecord) {
        self.key.erase()
        self.key = key
        keyRecord = record
    }

    /// Throws when another process has changed the key, so that nothing is written under the old one.
    func checkKeyIsCurrent() throws {
        guard try currentKeyID() == keyRecord?.id else { throw Failure.keyMoved }
    }

    func snapshot<Value>(_ work: () throws -> Value) throws -> Value {
        if !isLooking { try openLook() }
        defer { closeLook() }
        return try work()
    }

    func openLook() throws {
        closeLook()
        try run("BEGIN")
        isLooking = true
    }

    /// Ends the read transaction, so that the next read finds what other processes wrote since.
    func closeLook() {
        if isLooking { try? connection.run("ROLLBACK") }
        isLooking = false
    }

    func transaction(_ work: () throws -> Void) throws {
        closeLook()
        // The tables of a new store are created before that.
        if !isConfigured, keyRecord != nil {
            try configure()
            isConfigured = true
        }
        try run("BEGIN IMMEDIATE")
        do {
            try checkSchema()
            try work()
            try run("COMMIT")
        } catch {
            // Some errors have already ended the transaction. Throw the first one.
            try? run("ROLLBACK")
            throw error
        }
    }

    func run(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws { try rows(sql, values) { _ in } }

    func rows(_ sql: String, _ values: [SQLiteConnection.Value] = [], each: (SQLiteConnection.Row) -> Void) throws {
        try sqlite { try connection.rows(sql, values, each: each) }
    }

    func number(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws -> Int64? {
        try sqlite { try connection.number(sql, values) }
    }

    func sqlite<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let failure as SQLiteConnection.Failure
            where failure.isDamage || failure.code == SQLITE_ERROR && !hasOurTables()
        {
            throw Failure.notOurs
        }
    }
}

extension CredentialQuery {
    /// The query, ordered by the primary key and so by ``CredentialKey``.
    fileprivate var selection: (sql: String, values: [SQLiteConnection.Value]) {
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
        return ("SELECT * FROM credential \(filter)ORDER BY \(EncryptedRow.identityColumns)", values)
    }
}
