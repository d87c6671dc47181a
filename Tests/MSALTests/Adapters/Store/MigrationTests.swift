import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import MSAL

/// A store of schema version 1, and its migration.
@Suite("Migration of the store")
struct MigrationTests {
    private let folder: TemporaryFolder
    private let key = [UInt8](0..<32)
    private let records = (0..<20).map { CredentialRecord.test(.refreshToken, "uid.\($0)") }

    init() throws {
        folder = try TemporaryFolder()
        try folder.place("cache.db", Data())
        try folder.place("cache.db.key", Data(key))
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        for sql in [
            """
            CREATE TABLE credential (kind TEXT NOT NULL, home_account_id TEXT NOT NULL, environment TEXT NOT NULL, client TEXT NOT NULL,
            realm TEXT NOT NULL, target TEXT NOT NULL, nonce BLOB NOT NULL, sealed BLOB NOT NULL,
                PRIMARY KEY (kind, home_account_id, environment, client, realm, target)
            ) WITHOUT ROWID
            """,
            "CREATE INDEX credential_of_account ON credential (home_account_id, client)",
            "CREATE INDEX credential_of_client ON credential (client)",
            "CREATE TABLE key_check (id INTEGER PRIMARY KEY CHECK (id = 1), nonce BLOB NOT NULL, sealed BLOB NOT NULL)",
            "PRAGMA application_id = 1263817294", "PRAGMA user_version = 1", "PRAGMA journal_mode = WAL",
        ] { try connection.run(sql) }
        let check = Array("keyturn credential store".utf8)
        try connection.run("INSERT INTO key_check VALUES (1, ?, ?)", try encrypted(check, for: check))
        for record in records {
            let identity = record.key.components
            let bound = identity.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
            let text = Array(JSONValue.object(record.members).serialized.utf8)
            try connection.run(
                "INSERT INTO credential VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                identity.map(SQLiteConnection.Value.text) + (try encrypted(text, for: bound)))
        }
    }

    private func encrypted(_ text: [UInt8], for identity: [UInt8]) throws -> [SQLiteConnection.Value] {
        let nonce = SystemRandom().bytes(12)
        return [.blob(nonce), .blob(try AES256GCM.encrypt(text, key: key, nonce: nonce, authenticating: identity))]
    }

    private var sorted: [CredentialRecord] { records.sorted { $0.key < $1.key } }

    @Test("Keeps every record and the key file")
    func migration() throws {
        let store = SQLiteCredentialStore.of(folder, .automatic)
        #expect(try store.all() == sorted)
        #expect(try folder.keyFiles() == ["cache.db.key"])
        #expect(try store.protection().kind == .keyFile)
        #expect(try SQLiteCredentialStore.of(folder, .automatic).all() == sorted)
    }

    @Test("Is not done by a read-only store, which reads the old version")
    func looking() throws {
        let before = try folder.storeBytes()
        let store = SQLiteCredentialStore.of(folder, .automatic, access: .lookingOnly)
        #expect(try store.all() == sorted)
        #expect(try store.digests(DigestProbe()).count == records.count)
        #expect(try store.protection().kind == .keyFile)
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        #expect(try connection.number("PRAGMA user_version") == 1)
        #expect(try folder.storeBytes().count == before.count)
        #expect(!FileManager.default.fileExists(atPath: folder.file("cache.db.anchor").path))
    }

    @Test("Runs in many processes at once")
    func concurrent() async throws {
        let folder = folder
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await RawClient.off { try SQLiteCredentialStore.of(folder).all().count } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: records.count, count: 8))
    }

    @Test("To another key happens only after the user accepts the store, and deletes the old key file")
    func onwards() throws {
        for _ in 0..<2 {
            let failure = #expect(throws: CredentialStoreFailure.self) {
                try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all()
            }
            #expect(failure?.kind == .notAsLeft)
        }
        let accepting = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p", access: .acceptingAsFound)
        #expect(try accepting.all() == sorted)
        #expect(try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all() == sorted)
        #expect(try folder.keyFiles().isEmpty)
    }

    @Test("From the second version, which had no digests")
    func fromSecond() throws {
        _ = try SQLiteCredentialStore.of(folder, .automatic).all()
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        for sql in [
            "DROP TABLE seal", "DROP TABLE account_digest", "DROP TABLE digest_form", "PRAGMA user_version = 2",
        ] { try connection.run(sql) }
        try FileManager.default.removeItem(at: folder.file("cache.db.anchor"))
        let store = SQLiteCredentialStore.of(folder, .automatic)
        #expect(try store.all() == sorted)
        #expect(try store.digests(DigestProbe()).count == records.count)
        #expect(try connection.number("PRAGMA user_version") == 4)
        #expect(try folder.keyFiles() == ["cache.db.key"])
    }

    /// The previous schema version, also as left by an upgrade that ended before its commit.
    private func removeManifest() throws {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        for sql in ["DROP TABLE seal", "PRAGMA user_version = 3"] { try connection.run(sql) }
    }

    @Test("From the third version, which had no seals, also after an interrupted upgrade")
    func fromThird() throws {
        _ = try SQLiteCredentialStore.of(folder, .automatic).all()
        for removesAnchor in [false, true] {
            try removeManifest()
            if removesAnchor { try FileManager.default.removeItem(at: folder.file("cache.db.anchor")) }
            #expect(try SQLiteCredentialStore.of(folder, .automatic).all() == sorted)
        }
    }

    @Test("A version without seals beside the anchor of a later state is an earlier state")
    func manifestRemovedLater() throws {
        try SQLiteCredentialStore.of(folder, .automatic).save(.test(.account, "uid.new"))
        try removeManifest()
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try SQLiteCredentialStore.of(folder, .automatic).all()
        }
        #expect(failure?.kind == .notAsLeft)
        let accepting = SQLiteCredentialStore.of(folder, .automatic, access: .acceptingAsFound)
        #expect(try accepting.all().count == records.count + 1)
    }
}
