import KeyturnCrypto
import OAuthCore

/// Creates and migrates the tables.
/// 1. `credential` and `key_check`; the key is in `STORE.key`.
/// 2. `data_key` has the location of the key; `damaged_credential` has unreadable rows.
/// 3. `digest_form` and `account_digest` have the data for lists of accounts.
/// 4. `seal` has the data to detect missing or restored rows. It is created with the key:
///   ``meetAnchor()``.
extension CredentialDatabase {
    struct Found {
        var anchor: StoreAnchor?
        /// `nil` for a new file without tables.
        var keyRecord: DataKeyRecord?
        /// The store's manifest, encrypted. `nil` if it is missing, as in a store of a version without manifests.
        var manifest: EncryptedRow?
        var hasNoManifest = false
    }

    /// "KTRN", which identifies this program's databases (https://www.sqlite.org/pragma.html#pragma_application_id).
    private static let applicationID: Int64 = 0x4B54_524E
    private static let schemaVersion: Int64 = 4
    private static let lastVersionWithoutManifest: Int64 = 3

    /// Migrates the database. Writes nothing to another program's database.
    func bringUpToDate(path: String) throws {
        // Usually there is nothing to do, which one read transaction shows.
        if try look() { return }
        if try number("PRAGMA application_id") == 0, try isEmpty() { return }
        // Another process may just have created the tables, together with the application ID.
        guard try number("PRAGMA application_id") == Self.applicationID else { throw Failure.notOurs }
        try checkSchema()
        try migrate(path: path)
        try lookAgain()
    }

    /// Foreign triggers, views, tables and indexes can keep copies of rows. Compares only after a change of schema.
    func checkSchema() throws {
        // Before the comparison, so that a change in between is found the next time.
        let version = try number("PRAGMA schema_version")
        guard version != checkedSchema else { return }
        guard try number("SELECT count(*) FROM sqlite_schema WHERE NOT \(Self.isOurs)", Self.ours) == 0 else {
            throw Failure.foreignObjects
        }
        checkedSchema = version
    }

    /// Creates the tables with this key. Returns `false` when another process was first and its key is used.
    func create(with stored: StoredDataKey) throws -> Bool {
        var isFirst = false
        try transaction {
            // Again under the write lock.
            if try number("PRAGMA application_id") == Self.applicationID { return }
            guard try isEmpty() else { throw Failure.notOurs }
            if !acceptsAsFound, try readAnchor() != nil { throw Failure.emptied }
            for sql in Self.objects { try run(sql) }
            try run("PRAGMA application_id = \(Self.applicationID)")
            try run("PRAGMA user_version = \(Self.schemaVersion)")
            try writeKeyRecord(stored)
            try writeManifests(after: 0, with: stored.key)
            isFirst = true
        }
        try lookAgain()
        return isFirst
    }

    /// Reads everything that opening needs in one transaction, because each takes locks. It stays open for the first read.
    /// Returns `false` for a new file, and for one to migrate.
    private func look() throws -> Bool {
        try openLook()
        var isOurs = false
        defer { if !isOurs { closeLook() } }
        guard try number("PRAGMA application_id") == Self.applicationID else { return false }
        try checkSchema()
        let version = try version()
        guard version >= Self.lastVersionWithoutManifest else { return false }
        found.hasNoManifest = version == Self.lastVersionWithoutManifest
        found.keyRecord = try keyRecordOfOurs()
        // Without this table, the key can't move.
        _ = try number("SELECT count(*) FROM key_check")
        found.manifest = found.hasNoManifest ? nil : try manifestRow()
        isOurs = true
        return true
    }

    func lookAgain() throws {
        found.anchor = try readAnchor()
        _ = try look()
    }

    private func keyRecordOfOurs() throws -> DataKeyRecord {
        var record: DataKeyRecord?
        try rows("SELECT place, key_id, parameters, note FROM data_key") { row in
            guard let place = DataKeyPlace(rawValue: row.text(0)),
                let parameters = try? JSONValue(parsing: row.text(2)).object
            else { return }
            record = DataKeyRecord(place: place, id: row.text(1), parameters: parameters, note: row.text(3))
        }
        guard let record else { throw Failure.notOurs }
        return record
    }

    private func isEmpty() throws -> Bool { try number("SELECT count(*) FROM sqlite_schema") == 0 }

    private func migrate(path: String) throws {
        if try version() >= Self.lastVersionWithoutManifest { return }
        try transaction {
            // Again under the write lock, because another process may have been first.
            let version = try version()
            if version >= Self.lastVersionWithoutManifest { return }
            if version == 1 {
                for sql in Self.secondVersion { try run(sql) }
                try write(FileKeyVault.firstVersionRecord(store: path, id: Base64URL.encode(random.bytes(12))))
            }
            for sql in Self.thirdVersion { try run(sql) }
            try run("PRAGMA user_version = \(Self.lastVersionWithoutManifest)")
        }
    }

    func hasNoManifest() throws -> Bool { try version() <= Self.lastVersionWithoutManifest }

    /// Creates the table of manifests. Call this in a transaction.
    func makeManifestTable() throws {
        if try number("SELECT count(*) FROM sqlite_schema WHERE name = 'seal'") == 0 {
            for sql in Self.fourthVersion { try run(sql) }
        }
        try run("PRAGMA user_version = \(Self.schemaVersion)")
    }

    private func version() throws -> Int64 {
        guard let version = try number("PRAGMA user_version"), version >= 1 else { throw Failure.notOurs }
        guard version <= Self.schemaVersion else { throw Failure.tooNew }
        return version
    }

    private static let credentialColumns = """
        kind TEXT NOT NULL, home_account_id TEXT NOT NULL, environment TEXT NOT NULL, client TEXT NOT NULL,
        realm TEXT NOT NULL, target TEXT NOT NULL, nonce BLOB NOT NULL, sealed BLOB NOT NULL
        """

    private static let firstVersion = [
        """
        CREATE TABLE credential (\(credentialColumns),
            PRIMARY KEY (kind, home_account_id, environment, client, realm, target)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX credential_of_account ON credential (home_account_id, client)",
        "CREATE INDEX credential_of_client ON credential (client)",
        "CREATE TABLE key_check (id INTEGER PRIMARY KEY CHECK (id = 1), nonce BLOB NOT NULL, sealed BLOB NOT NULL)",
    ]

    private static let secondVersion = [
        """
        CREATE TABLE data_key (
            id INTEGER PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL, key_id TEXT NOT NULL,
            parameters TEXT NOT NULL, note TEXT NOT NULL
        )
        """,
        "CREATE TABLE damaged_credential (\(credentialColumns), key_id TEXT NOT NULL)",
    ]

    private static let thirdVersion = [
        "CREATE TABLE digest_form (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        """
        CREATE TABLE account_digest (
            form INTEGER NOT NULL, previous TEXT NOT NULL, last TEXT NOT NULL, nonce BLOB NOT NULL,
            sealed BLOB NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX account_digest_range ON account_digest (form, last, previous)",
    ]

    private static let fourthVersion = [
        "CREATE TABLE seal (part TEXT PRIMARY KEY, nonce BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID"
    ]

    /// Every table and index of this program, in the words that SQLite keeps in its schema.
    private static let objects = firstVersion + secondVersion + thirdVersion + fourthVersion

    private static let ours = objects.map(SQLiteConnection.Value.text)
    private static let isOurs = "sql IN (\(objects.map { _ in "?" }.joined(separator: ", ")))"

    /// SQLite reports wrong statements and missing tables alike; only the latter is damage. `true` when unknown.
    func hasOurTables() -> Bool {
        guard let version = try? connection.number("PRAGMA user_version"),
            let count = try? connection.number("SELECT count(*) FROM sqlite_schema WHERE \(Self.isOurs)", Self.ours)
        else { return true }
        return Int(count) >= Self.objects.count - (version == Self.schemaVersion ? 0 : Self.fourthVersion.count)
    }

    func configure() throws {
        try sqlite {
            try connection.useWriteAheadLog()
            // Commits are durable, so that a power failure can't bring back a redeemed refresh token.
            try connection.run("PRAGMA synchronous = FULL")
        }
    }

    /// Configures the connection to any database. Reads nothing of it.
    func protect() throws {
        try sqlite {
            try connection.run("PRAGMA secure_delete = ON")
            // Limits the log, which every process reads on opening the file. The last one to close the file empties it.
            try connection.run("PRAGMA journal_size_limit = \(4 << 20)")
            try connection.run("PRAGMA temp_store = MEMORY")
            try connection.run("PRAGMA trusted_schema = OFF")
            try connection.run("PRAGMA cell_size_check = ON")
        }
    }
}
