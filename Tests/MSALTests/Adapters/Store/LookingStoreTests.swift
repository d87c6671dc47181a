import Foundation
import Testing

@testable import MSAL

/// The store as `keyturn check`, `report` and shell completion see it: the same each time, and unchanged.
@Suite("A store opened read-only")
struct LookingStoreTests {
    private let folder: TemporaryFolder
    private let ann = CredentialRecord.test(.refreshToken, "uid.ann")

    init() throws {
        folder = try TemporaryFolder()
        try SQLiteCredentialStore.of(folder).save(ann, .test(.account, "uid.ann"))
        try sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func sqlite(_ sql: String) throws {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        try connection.run(sql)
    }

    private func files() throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { !$0.hasSuffix("-shm") }
            .reduce(into: [:]) { $0[$1] = try Data(contentsOf: folder.file($1)) }
    }

    private func looking(_ source: MSALCacheKeySource = .keyFile, passphrase: String? = nil) -> SQLiteCredentialStore {
        .of(folder, source, passphrase: passphrase, access: .lookingOnly)
    }

    private func failure(_ store: SQLiteCredentialStore) -> CredentialStoreFailure.Kind? {
        do {
            _ = try store.digests(DigestProbe())
            _ = try store.all()
            return nil
        } catch {
            return (error as? CredentialStoreFailure)?.kind
        }
    }

    @Test("Reads the store; its writes are discarded, and the key does not move")
    func reading() throws {
        let before = try files()
        let store = looking(.passphrase, passphrase: "p")
        #expect(try store.all().count == 2)
        #expect(try store.protection().kind == .keyFile)
        try store.save(.test(.refreshToken, "uid.ben"))
        #expect(try store.all().count == 3)
        #expect(try looking().all().count == 2)
        #expect(try files() == before)
    }

    @Test("Creates no folder, file or key, and reports where the key would be")
    func absent() throws {
        let missing = folder.file("missing/cache.db")
        let store = SQLiteCredentialStore(
            file: missing,
            keys: DataKeyVaults(
                source: .keyFile, keyFile: FileKeyVault(store: missing), passphrase: nil,
                secretService: SecretServiceKeyVault(store: missing.path)),
            access: .lookingOnly)
        #expect(try store.all().isEmpty)
        #expect(try store.protection().explanation == "Encrypted with a key in a file.")
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing").path))
    }

    enum Damage: String, CaseIterable {
        case row = "UPDATE credential SET sealed = zeroblob(length(sealed)) WHERE kind = 'RefreshToken'"
        case missingRow = "DELETE FROM credential WHERE kind = 'RefreshToken'"
        case manifests = "DELETE FROM seal"
        case groupManifest = "DELETE FROM seal WHERE part != 'store'"
        case nonsense, empty, deleted, key
    }

    private func apply(_ damage: Damage) throws {
        switch damage {
        case .row, .missingRow, .manifests, .groupManifest:
            try sqlite(damage.rawValue)
            try sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        case .key:
            let name = try #require(try folder.keyFiles().first)
            try folder.place(name, Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
        case .nonsense, .empty, .deleted:
            for name in ["cache.db-wal", "cache.db-shm"] { try? FileManager.default.removeItem(at: folder.file(name)) }
            if damage == .deleted { return try FileManager.default.removeItem(at: folder.file("cache.db")) }
            try folder.place("cache.db", Data(damage == .nonsense ? "nonsense".utf8 : "".utf8))
        }
    }

    @Test(
        "Reports each damage every time, leaves every file unchanged, and the next use reports it too",
        arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        try apply(damage)
        let before = try files()
        let store = looking()
        for _ in 0..<2 {
            #expect(failure(store) == .foundDamaged)
            #expect(failure(looking()) == .foundDamaged)
        }
        #expect(try files() == before)
        switch failure(.of(folder)) {
        case .damagedRecords, .setAside: break
        case let other: Issue.record("\(String(describing: other))")
        }
        #expect(failure(looking()) == nil, "reported once, then the rest is used")
    }

    @Test("A replaced store is rejected as usual")
    func replaced() throws {
        try FileManager.default.removeItem(at: folder.file("cache.db.anchor"))
        let before = try files()
        #expect(failure(looking()) == .notAsLeft)
        #expect(try files() == before)
    }

    @Test(
        "A reader that cannot warn the user leaves damage for the next one that can",
        arguments: [Damage.row, .manifests])
    func silentReader(damage: Damage) throws {
        try apply(damage)
        let store = SQLiteCredentialStore.of(folder)
        var query = CredentialQuery(homeAccountIDs: ["uid.ann"])
        query.mendsDamage = false
        for _ in 0..<2 {
            let failure = #expect(throws: CredentialStoreFailure.self) { try store.records(matching: query) }
            #expect(failure?.kind == .foundDamaged)
        }
        #expect(failure(store) == .damagedRecords)
    }
}
