import Foundation
import Testing

@testable import MSAL

@Suite("Moving the key of a store")
struct KeyMoveTests {
    private let folder: TemporaryFolder
    private let records = (0..<520).map { CredentialRecord.test(.idToken, "uid.\($0)") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fill() throws -> SQLiteCredentialStore {
        let store = SQLiteCredentialStore.of(folder)
        try store.update(matching: CredentialQuery(kinds: [])) { _ in records.map(CredentialChange.save) }
        return store
    }

    private var sorted: [CredentialRecord] { records.sorted { $0.key < $1.key } }

    @Test("Keeps every row, deletes the old key, and reports where the new one is")
    func move() throws {
        let first = try fill()
        #expect(try first.protection().kind == .keyFile)
        let moved = SQLiteCredentialStore.of(folder, .passphrase, passphrase: "correct horse")
        #expect(try moved.all() == sorted)
        #expect(try folder.keyFiles().isEmpty)
        #expect(try moved.protection().kind == .passphrase)
        #expect(try moved.protection().path == folder.file("cache.db").path)
        // And back: with a new key, not the old one.
        #expect(try SQLiteCredentialStore.of(folder, .keyFile, passphrase: "correct horse").all() == sorted)
        #expect(try folder.keyFiles().count == 1)
        #expect(try SQLiteCredentialStore.of(folder).all() == sorted)
        #expect(try SQLiteCredentialStore.of(folder, .automatic).all() == sorted)
    }

    @Test(
        "A new passphrase, with the previous one beside it, re-encrypts every row; the previous one opens nothing then"
    )
    func changedPassphrase() throws {
        _ = try fill()
        _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "old").all()
        let old = try #require(try rawRows().first)
        #expect(throws: CredentialStoreFailure.self) {
            try SQLiteCredentialStore.of(folder, .automatic, passphrase: "new", previous: "neither").all()
        }
        for source in [MSALCacheKeySource.automatic, .passphrase] {
            // The second time it is current already, and the previous one is not needed.
            let changed = SQLiteCredentialStore.of(folder, source, passphrase: "new", previous: "old")
            #expect(try changed.all() == sorted)
        }
        #expect(try folder.storeBytes().range(of: Data(old.encrypted)) == nil)
        #expect(try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "new").all() == sorted)
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "old").all()
        }
        #expect(failure?.kind == .keyUnavailable)
    }

    @Test("The previous passphrase also opens a store that moves elsewhere")
    func changedAndMoved() throws {
        _ = try fill()
        _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "old").all()
        #expect(try SQLiteCredentialStore.of(folder, .keyFile, passphrase: "new", previous: "old").all() == sorted)
        #expect(try SQLiteCredentialStore.of(folder).all() == sorted)
    }

    @Test("The old key opens nothing that is left in the files")
    func remains() throws {
        let store = try fill()
        let file = try #require(try folder.keyFiles().first)
        let old = [UInt8](try Data(contentsOf: folder.file(file)))
        let row = try #require(try rawRows().first)
        #expect(try folder.storeBytes().range(of: Data(row.encrypted)) != nil)
        #expect(try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all().count == records.count)
        let bytes = try folder.storeBytes()
        #expect(bytes.range(of: Data(row.encrypted)) == nil && bytes.range(of: Data(old)) == nil)
        withExtendedLifetime(store) {}
    }

    @Test("A program that has the store open continues under the new key, reading and writing")
    func openElsewhere() throws {
        let elsewhere = SQLiteCredentialStore.of(folder, .automatic, passphrase: "p")
        let first = try fill()
        #expect(try elsewhere.all() == sorted)
        _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "p").all()
        let added = CredentialRecord.test(.refreshToken, "uid.new")
        try elsewhere.save(added)
        #expect(try elsewhere.all().count == records.count + 1)
        #expect(try SQLiteCredentialStore.of(folder, .automatic, passphrase: "p").all().contains(added))
        // The first is configured for the key file, and has no passphrase to move back with.
        let failure = #expect(throws: CredentialStoreFailure.self) { try first.all() }
        #expect(failure?.kind == .keyUnavailable)
    }

    @Test("Two programs with different key locations never lose a row")
    func contention() async throws {
        _ = try fill()
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in [MSALCacheKeySource.keyFile, .passphrase, .automatic, .automatic] {
                group.addTask {
                    try await RawClient.off {
                        for round in 0..<5 {
                            let store = SQLiteCredentialStore.of(folder, source, passphrase: "p")
                            try store.save(.test(.account, "\(source).\(round)"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try SQLiteCredentialStore.of(folder, .automatic, passphrase: "p").all()
        #expect(all.count { $0.key.kind == .idToken } == records.count)
        #expect(Set(all.filter { $0.key.kind == .account }.map(\.key.homeAccountID)).count == 15)
    }

    @Test("A wrong passphrase, a missing key and a missing passphrase change nothing and name the next step")
    func unavailable() throws {
        _ = try fill()
        _ = try SQLiteCredentialStore.of(folder, .passphrase, passphrase: "right").all()
        for passphrase in ["wrong", nil] {
            let failure = #expect(throws: CredentialStoreFailure.self) {
                try SQLiteCredentialStore.of(folder, .automatic, passphrase: passphrase).all()
            }
            #expect(failure?.kind == .keyUnavailable)
        }
        _ = try SQLiteCredentialStore.of(folder, .keyFile, passphrase: "right").all()
        let file = try #require(try folder.keyFiles().first)
        let moved = folder.file(file).path + ".away"
        try FileManager.default.moveItem(atPath: folder.file(file).path, toPath: moved)
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try SQLiteCredentialStore.of(folder, .automatic).all()
        }
        #expect(failure?.kind == .keyUnavailable && failure?.reason.contains(file) == true)
        try FileManager.default.moveItem(atPath: moved, toPath: folder.file(file).path)
        #expect(try SQLiteCredentialStore.of(folder, .automatic).all() == sorted)
    }

    /// Several stores: only occasionally do two creators meet at the moment when the file gets its write-ahead log.
    @Test("Concurrent creators make one key for a new store", arguments: 1...25)
    func creation(store: Int) async throws {
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<12 {
                group.addTask {
                    try await RawClient.off { try SQLiteCredentialStore.of(folder).save(.test(.account, "\(worker)")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try SQLiteCredentialStore.of(folder).all().count == 12)
        #expect(try folder.keyFiles().count == 1)
    }

    private func rawRows() throws -> [EncryptedRow] {
        let connection = try SQLiteConnection(path: folder.file("cache.db").path, busyMilliseconds: 0)
        var rows: [EncryptedRow] = []
        try connection.rows("SELECT * FROM credential LIMIT 1") { rows.append(EncryptedRow($0)) }
        return rows
    }
}
