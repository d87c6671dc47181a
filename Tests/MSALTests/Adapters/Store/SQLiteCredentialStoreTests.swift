import Foundation
import OAuthCore
import Testing

@testable import MSAL

@Suite("SQLite credential store")
struct SQLiteCredentialStoreTests {
    private let folder: TemporaryFolder
    private let store: SQLiteCredentialStore

    init() throws {
        folder = try TemporaryFolder()
        store = Self.open(folder)
    }

    private static func open(_ folder: TemporaryFolder) -> SQLiteCredentialStore { .of(folder) }

    private static func record(
        _ kind: CredentialKey.Kind = .refreshToken, _ account: String = "uid.utid", client: String = "app",
        target: String = "", secret: String = "token-of-the-person"
    ) -> CredentialRecord {
        .test(kind, account, client: client, target: target, secret: secret)
    }

    private func save(_ records: CredentialRecord...) throws {
        try store.update(matching: CredentialQuery()) { _ in records.map(CredentialChange.save) }
    }

    @Test("Starts empty, and returns saved records in the order of their keys, over another connection too")
    func roundTrip() throws {
        #expect(try store.records(matching: CredentialQuery()).isEmpty)
        let records = [
            Self.record(.account, client: ""), Self.record(.accessToken, target: "b"),
            Self.record(.accessToken, target: "a"), Self.record(.refreshToken, "é∂😀", secret: "日本"),
        ]
        try store.update(matching: CredentialQuery()) { _ in records.map(CredentialChange.save) }
        let expected = records.sorted { $0.key < $1.key }
        #expect(try store.records(matching: CredentialQuery()) == expected)
        #expect(try Self.open(folder).records(matching: CredentialQuery()) == expected)
        #expect(try store.records(matching: CredentialQuery(kinds: [.account])) == [records[0]])
    }

    @Test("Reading writes nothing to the database, even with the log present")
    func readingWritesNothing() throws {
        let file = folder.file("cache.db").path
        func changed() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        // Each opens, works and closes, like programs that run one after the other.
        try Self.open(folder).update(matching: CredentialQuery()) { _ in [.save(Self.record())] }
        let before = try #require(try changed())
        #expect(try Self.open(folder).records(matching: CredentialQuery()).count == 1)
        #expect(try changed() == before)
    }

    @Test("The last connection to close leaves no log")
    func emptiedLog() throws {
        let log = folder.file("cache.db-wal").path
        func length() throws -> Int? { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int }
        var writer: SQLiteCredentialStore? = Self.open(folder)
        try writer?.update(matching: CredentialQuery()) { _ in (0..<9).map { .save(Self.record(.account, "\($0)")) } }
        #expect(try Self.open(folder).records(matching: CredentialQuery()).count == 9)
        #expect(try #require(try length()) > 0, "the writer still has the file open")
        writer = nil
        #expect(try length() == 0)
        #expect(try Self.open(folder).records(matching: CredentialQuery()).count == 9)
    }

    @Test("Replaces by identity, and deletes by identity")
    func replace() throws {
        try save(Self.record(secret: "old"), Self.record(.idToken))
        try save(Self.record(secret: "new"))
        #expect(
            try store.records(matching: CredentialQuery(kinds: [.refreshToken])) == [Self.record(secret: "new")])
        try store.update(matching: CredentialQuery()) { records in
            #expect(records.count == 2)
            return [.delete(Self.record(.idToken).key), .delete(Self.record(.appMetadata).key)]
        }
        #expect(try store.records(matching: CredentialQuery()) == [Self.record(secret: "new")])
    }

    static let queries: [(String, CredentialQuery)] = [
        ("everything", CredentialQuery()),
        ("a kind", CredentialQuery(kinds: [.accessToken])),
        ("two kinds of an account", CredentialQuery(kinds: [.accessToken, .idToken], homeAccountIDs: ["a"])),
        ("accounts", CredentialQuery(homeAccountIDs: ["a", "c", "'; DROP TABLE credential; --"])),
        ("a client", CredentialQuery(client: "2")),
        ("all of them", CredentialQuery(kinds: [.idToken], homeAccountIDs: ["b"], client: "1")),
        ("no kind", CredentialQuery(kinds: [])),
        ("no account", CredentialQuery(homeAccountIDs: [])),
        ("the empty account", CredentialQuery(homeAccountIDs: [""])),
    ]

    @Test("Finds only matching records", arguments: queries)
    func query(name: String, query: CredentialQuery) throws {
        var records: [CredentialRecord] = []
        for kind in [CredentialKey.Kind.accessToken, .idToken, .account] {
            for account in ["", "a", "b", "c"] {
                for client in ["1", "2"] { records.append(Self.record(kind, account, client: client)) }
            }
        }
        try store.update(matching: CredentialQuery()) { _ in records.map(CredentialChange.save) }
        let expected = records.filter { query.matches($0.key) }.map(\.key).sorted()
        #expect(try store.records(matching: query).map(\.key) == expected)
    }

    @Test("Concurrent updates by many stores of one new file lose nothing")
    func concurrent() async throws {
        let folder = folder
        let counter = Self.record(.appMetadata)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    try await RawClient.off {
                        let store = Self.open(folder)
                        for round in 0..<10 {
                            try store.update(matching: CredentialQuery(kinds: [.appMetadata])) { records in
                                var count = records.first ?? counter
                                count.members["n"] = .integer(Int64((count.members["n"]?.double ?? 0) + 1))
                                return [.save(count), .save(Self.record(.idToken, "\(worker).\(round)"))]
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.records(matching: CredentialQuery(kinds: [.idToken])).count == 80)
        #expect(try store.records(matching: CredentialQuery(kinds: [.appMetadata])).first?.members["n"] == 80)
    }

    @Test("Reports that another process holds it for too long")
    func busy() throws {
        try save(Self.record())
        let impatient = SQLiteCredentialStore(
            file: folder.file("cache.db"), keys: .of(folder), busySeconds: 0)
        _ = try impatient.records(matching: CredentialQuery())
        try store.update(matching: CredentialQuery()) { _ in
            let failure = #expect(throws: CredentialStoreFailure.self) {
                try impatient.update(matching: CredentialQuery()) { _ in [.delete(Self.record().key)] }
            }
            #expect(failure?.kind == .busy)
            return []
        }
        #expect(try impatient.records(matching: CredentialQuery()).count == 1)
    }

    @Test("Its files are readable by their owner only, and contain no plain-text secret")
    func files() throws {
        try save(Self.record())
        for name in ["cache.db", "cache.db-wal", "cache.db-shm"] + (try folder.keyFiles()) {
            #expect(try folder.permissions(name) == 0o600, "\(name)")
            let data = try Data(contentsOf: folder.file(name))
            #expect(data.range(of: Data("token-of-the-person".utf8)) == nil, "\(name)")
        }
    }

    @Test("Creates its folder for its owner only, when it first writes")
    func newFolder() throws {
        let file = folder.file("a/b/cache.db")
        let store = SQLiteCredentialStore(
            file: file,
            keys: DataKeyVaults(
                source: .keyFile, keyFile: FileKeyVault(store: file), passphrase: nil,
                secretService: SecretServiceKeyVault(store: file.path)))
        #expect(try store.all().isEmpty)
        #expect(try store.digests(in: DigestProbe().form).all.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.file("a").path))

        try store.save(Self.record())
        #expect(try store.all() == [Self.record()])
        #expect(try folder.permissions("a") == 0o700)
        #expect(try folder.permissions("a/b") == 0o700)
    }

    @Test("Rejects a file or folder that other users can read, and a link", arguments: ["cache.db", "", ".key"])
    func unsafe(name: String) throws {
        try save(Self.record())
        let name = name == ".key" ? try #require(try folder.keyFiles().first) : name
        let path = name.isEmpty ? folder.url.path : folder.file(name).path
        try FileManager.default.setAttributes([.posixPermissions: name.isEmpty ? 0o750 : 0o640], ofItemAtPath: path)
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try Self.open(folder).records(matching: CredentialQuery())
        }
        #expect(failure?.kind == .unsafePermissions)
        #expect(failure?.remedy?.contains(name.isEmpty ? "in another folder" : "chmod 600") == true)
        try FileManager.default.setAttributes([.posixPermissions: name.isEmpty ? 0o700 : 0o600], ofItemAtPath: path)

        let moved = path + ".moved"
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: moved)
        let linked = #expect(throws: CredentialStoreFailure.self) {
            try Self.open(folder).records(matching: CredentialQuery())
        }
        #expect(linked?.kind == .unsafePermissions)
        if name.isEmpty { try FileManager.default.removeItem(atPath: moved) }
    }

    @Test("An identity with NUL is kept whole and distinct from identities with the same start")
    func nul() throws {
        let first = Self.record(.refreshToken, "uid\0a.utid", target: "a\0b")
        let second = Self.record(.refreshToken, "uid\0b.utid", target: "a\0b")
        try save(first, second)
        #expect(try Self.open(folder).records(matching: CredentialQuery()) == [first, second])
        #expect(try store.records(matching: CredentialQuery(homeAccountIDs: ["uid\0b.utid"])) == [second])
        #expect(try store.records(matching: CredentialQuery(homeAccountIDs: ["uid"])).isEmpty)
        try store.update(matching: CredentialQuery()) { _ in [.delete(first.key)] }
        #expect(try store.records(matching: CredentialQuery()) == [second])
    }

    @Test("A record that cannot be encrypted is not saved, and the file stays")
    func cannotEncrypt() throws {
        try save(Self.record())
        let broken = SQLiteCredentialStore(
            file: folder.file("cache.db"), keys: .of(folder), random: TooFewBytes())
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try broken.update(matching: CredentialQuery()) { _ in [.save(Self.record(secret: "new"))] }
        }
        #expect(failure?.kind == .io)
        #expect(try store.records(matching: CredentialQuery()) == [Self.record()])
    }

    @Test("What the first use of an open store reads doesn't hide later changes")
    func laterChanges() throws {
        try save(Self.record())
        let uses: [(SQLiteCredentialStore) throws -> Void] = [
            { _ = try $0.protection() }, { _ = try $0.deleteSetAside() }, { _ = try $0.digests(DigestProbe()) },
        ]
        for (number, use) in uses.enumerated() {
            let open = Self.open(folder)
            try use(open)
            let newer = Self.record(secret: "newer \(number)")
            try save(newer)
            #expect(try open.records(matching: CredentialQuery()) == [newer])
        }
    }

    @Test("A rejected statement is damage only if a table is missing")
    func rejectedStatement() throws {
        try save(Self.record())
        let path = folder.file("cache.db").path
        let database = try CredentialDatabase(
            path: path, identity: try #require(try PrivateFile.identity(path)), random: SystemRandom(),
            busyMilliseconds: 0)
        database.closeLook()
        func isDamage() -> Bool? {
            do {
                try database.run("SELECT no_such_function()")
                return nil
            } catch CredentialDatabase.Failure.notOurs {
                return true
            } catch {
                return false
            }
        }
        #expect(isDamage() == false)
        try sqlite(folder, "DROP TABLE credential")
        #expect(isDamage() == true)
    }

    @Test("A missing table is damage", arguments: ["credential", "key_check", "data_key"])
    func missingTable(name: String) throws {
        try save(Self.record())
        try sqlite(folder, "DROP TABLE \(name)")
        _ = try setAside { _ = try Self.open(folder).records(matching: CredentialQuery()) }
        #expect(try Self.open(folder).records(matching: CredentialQuery()).isEmpty)
    }

    @Test("A folder with the name of a file that was set aside is neither counted nor deleted")
    func folderSetAside() throws {
        try save(Self.record())
        let other = folder.file("cache.db.set-aside-1").path
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        #expect(try store.protection().setAsideFiles.isEmpty)
        #expect(try store.deleteSetAside().files.isEmpty)
        #expect(FileManager.default.fileExists(atPath: other))
    }

    /// Runs a call that must set the file aside; returns its new location.
    private func setAside(_ call: () throws -> Void) throws -> String {
        let failure = #expect(throws: CredentialStoreFailure.self, performing: call)
        guard case .setAside(let place) = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return ""
        }
        // The failure names the new location once.
        #expect(failure?.reason.contains(place) == false)
        return place
    }

    @Test("A file encrypted with another key is set aside whole, and a new one starts")
    func otherKey() throws {
        try save(Self.record())
        let file = try #require(try folder.keyFiles().first)
        let key = try Data(contentsOf: folder.file(file))
        try folder.place(file, Data(repeating: 7, count: 32))
        let place = try setAside { _ = try Self.open(folder).records(matching: CredentialQuery()) }
        let other = Self.open(folder)
        #expect(try other.records(matching: CredentialQuery()).isEmpty)
        try other.update(matching: CredentialQuery()) { _ in [.save(Self.record(secret: "second"))] }
        #expect(try other.records(matching: CredentialQuery()) == [Self.record(secret: "second")])
        // With its own key, the file set aside is intact.
        try folder.place(file, key)
        let kept = SQLiteCredentialStore(file: URL(filePath: place), keys: .of(folder))
        #expect(try kept.records(matching: CredentialQuery()) == [Self.record()])
        // The connection that had it open notices the new file.
        #expect(try store.records(matching: CredentialQuery()) == [Self.record(secret: "second")])
        #expect(place.hasSuffix("cache.db.set-aside-1"))
    }

    @Test(
        "A foreign file is set aside unchanged",
        arguments: [Data("Not a database. ".utf8), Data([UInt8](repeating: 0xA5, count: 20_000)), Data("x".utf8)])
    func foreign(content: Data) throws {
        try folder.place("cache.db", content)
        let place = try setAside { try save(Self.record()) }
        #expect(FileManager.default.contents(atPath: place) == content)
        try save(Self.record())
        #expect(try store.records(matching: CredentialQuery()) == [Self.record()])
    }

    @Test("Another program's database is set aside unchanged, also an older one without an ID")
    func foreignDatabase() throws {
        for id in [0, 7] {
            let folder = try TemporaryFolder()
            let path = folder.file("cache.db").path
            try sqlite(folder, "CREATE TABLE other (a)", "PRAGMA application_id = \(id)")
            let before = FileManager.default.contents(atPath: path)
            let place = try setAside { _ = try Self.open(folder).records(matching: CredentialQuery()) }
            #expect(FileManager.default.contents(atPath: place) == before)
        }
    }

    @Test("A file of a later version stays in place")
    func tooNew() throws {
        try save(Self.record())
        try sqlite(folder, "PRAGMA user_version = 5")
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try Self.open(folder).records(matching: CredentialQuery())
        }
        #expect(failure?.kind == .unsupported)
        #expect(failure?.reason.contains("newer version") == true)
    }

    /// Changes to one row by a program that can write the file, but has no key.
    @Test(
        "A row that was changed, moved to another identity, or swapped is detected",
        arguments: [
            ("UPDATE credential SET sealed = zeroblob(length(sealed))", 0),
            ("UPDATE credential SET nonce = zeroblob(12)", 0),
            ("UPDATE credential SET client = 'other' WHERE client = 'app'", 0),
            ("UPDATE credential SET sealed = (SELECT sealed FROM credential c WHERE c.home_account_id = 'x')", 1),
            ("UPDATE credential SET sealed = ''", 0), ("UPDATE credential SET kind = 'Other'", 0),
            (
                "INSERT INTO credential SELECT kind, 'y', environment, client, realm, target, nonce, sealed "
                    + "FROM credential WHERE home_account_id = 'x'", 2
            ),
        ])
    func tampered(sql: String, left: Int) throws {
        try save(Self.record(), Self.record(.refreshToken, "x", secret: "of another"))
        try sqlite(folder, sql)
        let failure = #expect(throws: CredentialStoreFailure.self) { try store.records(matching: CredentialQuery()) }
        #expect(failure?.kind == .damagedRecords)
        #expect(try store.records(matching: CredentialQuery()).count == left)
    }

    @Test("Every flipped byte of the file returns saved records, or is reported as damage or as a missing key")
    func flippedBytes() throws {
        let record = Self.record()
        try save(record)
        try sqlite(folder, "PRAGMA wal_checkpoint(TRUNCATE)")
        let whole = [UInt8](try Data(contentsOf: folder.file("cache.db")))
        let keyFile = try #require(try folder.keyFiles().first)
        let key = try Data(contentsOf: folder.file(keyFile))
        let anchor = try Data(contentsOf: folder.file("cache.db.anchor"))
        var noticed = 0
        for index in stride(from: 0, to: whole.count, by: 173) {
            let folder = try TemporaryFolder()
            var flipped = whole
            flipped[index] ^= 0xFF
            try folder.place("cache.db", Data(flipped))
            try folder.place(keyFile, key)
            try folder.place("cache.db.anchor", anchor)
            do throws(CredentialStoreFailure) {
                let records = try Self.open(folder).records(matching: CredentialQuery())
                #expect(records == [record], "byte \(index)")
            } catch {
                noticed += 1
                switch error.kind {
                case .setAside(let place):
                    #expect(FileManager.default.contents(atPath: place) == Data(flipped), "byte \(index)")
                case .damagedRecords, .keyUnavailable, .notAsLeft: break
                case .foundDamaged, .unsafePermissions, .busy, .unsupported, .io:
                    Issue.record("byte \(index): \(error)")
                }
            }
        }
        #expect(noticed > 0)
    }

    @Test("A file deleted while open is reported, and a new one starts")
    func removed() throws {
        try save(Self.record())
        for name in ["cache.db", "cache.db-wal", "cache.db-shm"] {
            try FileManager.default.removeItem(at: folder.file(name))
        }
        _ = try setAside { _ = try store.records(matching: CredentialQuery()) }
        #expect(try store.records(matching: CredentialQuery()).isEmpty)
        try save(Self.record(secret: "again"))
        #expect(try Self.open(folder).records(matching: CredentialQuery()) == [Self.record(secret: "again")])
    }

    /// Damage by another program, or by one that can write the file but has no key.
    private func sqlite(_ folder: TemporaryFolder, _ statements: String...) throws {
        if !FileManager.default.fileExists(atPath: folder.file("cache.db").path) {
            try folder.place("cache.db", Data())
        }
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        for statement in statements { try connection.run(statement) }
    }
}
