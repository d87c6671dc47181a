import AuthEngine
import CSQLite
import Crypto
import OAuthCore

/// The tables of the credential store, and the sealing of what is in them.
///
/// The columns of a credential's identity are in the clear, to be looked up; its members are JSON sealed with AES-256-GCM
/// under the data key, bound to that identity, with a random nonce for each writing.
final class CredentialDatabase {
    enum Failure: Error {
        case sqlite(SQLiteConnection.Failure)
        /// It is a database of something else, or damaged.
        case notOurs
        case anotherKey
        /// Written by a later version of this program.
        case tooNew
    }

    /// "KTRN": says whose database this is (https://www.sqlite.org/pragma.html#pragma_application_id).
    private static let applicationID: Int64 = 0x4B54_524E
    private static let schemaVersion: Int64 = 1
    private static let checkText = Array("keyturn credential store".utf8)

    let identity: PrivateFile.Identity
    private let connection: SQLiteConnection
    private let key: [UInt8]
    private let random: any RandomBytes

    init(
        path: String, identity: PrivateFile.Identity, key: [UInt8], random: any RandomBytes, busyMilliseconds: Int32
    ) throws(Failure) {
        self.identity = identity
        self.key = key
        self.random = random
        connection = try Self.sqlite { () throws(SQLiteConnection.Failure) in
            try SQLiteConnection(path: path, busyMilliseconds: busyMilliseconds)
        }
        try checkOwner()
        try Self.sqlite { () throws(SQLiteConnection.Failure) in try configure() }
        try checkKey()
    }

    func records(matching query: CredentialQuery) throws(Failure) -> [CredentialRecord] {
        let (sql, values) = query.selection
        var records: [CredentialRecord] = []
        var isWhole = true
        try Self.sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows(sql, values) { row in
                if let record = self.record(row) { records.append(record) } else { isWhole = false }
            }
        }
        guard isWhole else { throw .notOurs }
        return records
    }

    /// All changes or none.
    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(Failure) {
        try transaction { () throws(Failure) in
            for change in decide(try records(matching: query)) { try apply(change) }
        }
    }

    private func apply(_ change: CredentialChange) throws(Failure) {
        switch change {
        case .save(let record):
            let nonce = random.bytes(AES256GCM.nonceLength)
            let sealed = try seal(
                Array(JSONValue.object(record.members).serialized.utf8), nonce: nonce, for: record.key.sealedIdentity)
            let values = record.key.components.map(SQLiteConnection.Value.text) + [.blob(nonce), .blob(sealed)]
            try run("INSERT OR REPLACE INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        case .delete(let key):
            try run(
                "DELETE FROM credential WHERE kind = ? AND home_account_id = ? AND environment = ? AND client = ? "
                    + "AND realm = ? AND target = ?", key.components.map(SQLiteConnection.Value.text))
        }
    }

    /// `nil`: the row is not what was written.
    private func record(_ row: SQLiteConnection.Row) -> CredentialRecord? {
        guard let kind = CredentialKey.Kind(rawValue: row.text(0)) else { return nil }
        let identity = CredentialKey(
            kind, homeAccountID: row.text(1), environment: row.text(2), client: row.text(3), realm: row.text(4),
            target: row.text(5))
        guard
            let text = try? AES256GCM.open(
                row.blob(7), key: key, nonce: row.blob(6), authenticating: identity.sealedIdentity),
            let members = try? JSONValue(parsing: text).object
        else { return nil }
        return CredentialRecord(identity, members)
    }
}

extension CredentialDatabase {
    /// Looks before anything is written: another program's database must not change.
    private func checkOwner() throws(Failure) {
        switch try number("PRAGMA application_id") {
        case Self.applicationID: break
        case 0: try create()
        default: throw .notOurs
        }
        guard let version = try number("PRAGMA user_version"), version >= 1 else { throw .notOurs }
        guard version <= Self.schemaVersion else { throw .tooNew }
    }

    private func create() throws(Failure) {
        try transaction { () throws(Failure) in
            // Asked again under the write lock: another process may have been first.
            if try number("PRAGMA application_id") == Self.applicationID { return }
            guard try number("SELECT count(*) FROM sqlite_schema") == 0 else { throw .notOurs }
            for sql in Self.schema { try run(sql) }
            let nonce = random.bytes(AES256GCM.nonceLength)
            let sealed = try seal(Self.checkText, nonce: nonce, for: Self.checkText)
            try run("INSERT INTO key_check VALUES (1, ?, ?)", [.blob(nonce), .blob(sealed)])
        }
    }

    private static let schema = [
        """
        CREATE TABLE credential (
            kind TEXT NOT NULL, home_account_id TEXT NOT NULL, environment TEXT NOT NULL, client TEXT NOT NULL,
            realm TEXT NOT NULL, target TEXT NOT NULL, nonce BLOB NOT NULL, sealed BLOB NOT NULL,
            PRIMARY KEY (kind, home_account_id, environment, client, realm, target)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX credential_of_account ON credential (home_account_id, client)",
        "CREATE INDEX credential_of_client ON credential (client)",
        "CREATE TABLE key_check (id INTEGER PRIMARY KEY CHECK (id = 1), nonce BLOB NOT NULL, sealed BLOB NOT NULL)",
        "PRAGMA application_id = \(applicationID)",
        "PRAGMA user_version = \(schemaVersion)",
    ]

    private func configure() throws(SQLiteConnection.Failure) {
        if try connection.text("PRAGMA journal_mode") != "wal" { try connection.run("PRAGMA journal_mode = WAL") }
        // A killed program loses nothing; a power cut may lose the last moments, and then costs one more sign-in.
        try connection.run("PRAGMA synchronous = NORMAL")
        try connection.run("PRAGMA secure_delete = ON")
        try connection.run("PRAGMA temp_store = MEMORY")
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
    }

    private func checkKey() throws(Failure) {
        var check: (nonce: [UInt8], sealed: [UInt8])?
        try Self.sqlite { () throws(SQLiteConnection.Failure) in
            try connection.rows("SELECT nonce, sealed FROM key_check") { check = ($0.blob(0), $0.blob(1)) }
        }
        guard let check else { throw .notOurs }
        let text = try? AES256GCM.open(check.sealed, key: key, nonce: check.nonce, authenticating: Self.checkText)
        guard text == Self.checkText else { throw .anotherKey }
    }

    private func transaction(_ work: () throws(Failure) -> Void) throws(Failure) {
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

    private func seal(_ text: [UInt8], nonce: [UInt8], for identity: [UInt8]) throws(Failure) -> [UInt8] {
        do throws(CryptoFailure) {
            return try AES256GCM.seal(text, key: key, nonce: nonce, authenticating: identity)
        } catch {
            throw .anotherKey
        }
    }

    private func run(_ sql: String, _ values: [SQLiteConnection.Value] = []) throws(Failure) {
        try Self.sqlite { () throws(SQLiteConnection.Failure) in try connection.run(sql, values) }
    }

    private func number(_ sql: String) throws(Failure) -> Int64? {
        try Self.sqlite { () throws(SQLiteConnection.Failure) in try connection.number(sql) }
    }

    private static func sqlite<Value>(
        _ work: () throws(SQLiteConnection.Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(SQLiteConnection.Failure) {
            return try work()
        } catch {
            // A table that is missing from a database of ours is damage too.
            throw error.isDamage || error.code == SQLITE_ERROR ? .notOurs : .sqlite(error)
        }
    }
}

extension CredentialKey {
    /// The associated data of its row: each part with its length, so that no two identities give the same bytes.
    fileprivate var sealedIdentity: [UInt8] {
        components.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    }
}

extension CredentialQuery {
    /// The order is that of the primary key, which is the order of ``CredentialKey``.
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
        let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
        let order = "ORDER BY kind, home_account_id, environment, client, realm, target"
        return ("SELECT * FROM credential \(filter)\(order)", values)
    }
}
