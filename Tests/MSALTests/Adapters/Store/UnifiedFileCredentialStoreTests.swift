import Foundation
import Glibc
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The file that other programs read and write at the same time.
@Suite("A unified cache file")
struct UnifiedFileCredentialStoreTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("cache.json")
    }

    private func store(
        lock: SharedCacheLock.Patience = .init(seconds: 30, staleSeconds: 0, namelessSeconds: 0),
        settling: SettlingWatch.Patience = .init(quietSeconds: 0, seconds: 30), retrySeconds: Double = 30
    ) -> UnifiedFileCredentialStore {
        UnifiedFileCredentialStore(
            file: file, patience: .init(lock: lock, settling: settling, retrySeconds: retrySeconds, watchSeconds: 0))
    }

    private static func record(_ account: String = "u1.t1", secret: String = "token") -> CredentialRecord {
        CredentialRecord(
            CredentialKey(.refreshToken, homeAccountID: account, environment: "login.example", client: "app"),
            [
                "home_account_id": .string(account), "environment": "login.example", "client_id": "app",
                "secret": .string(secret),
            ])
    }

    private func save(_ records: CredentialRecord...) throws {
        try store().update(matching: CredentialQuery()) { _ in records.map(CredentialChange.save) }
    }

    @Test("Without a file the cache is empty, and reading creates none")
    func nothing() throws {
        #expect(try store().records(matching: CredentialQuery()).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("Saves records for the file's owner only, and removes the lock")
    func keeps() throws {
        let store = store()
        try save(Self.record(), Self.record("u2.t1"))
        #expect(try store.records(matching: CredentialQuery()) == [Self.record(), Self.record("u2.t1")])
        #expect(try store.records(matching: CredentialQuery(homeAccountIDs: ["u2.t1"])) == [Self.record("u2.t1")])
        #expect(try folder.permissions("cache.json") == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["cache.json", "cache.json.renewal"])
    }

    @Test("A change by another program is visible, and a failed update writes nothing")
    func otherProgram() throws {
        let store = store()
        try save(Self.record())
        #expect(try store.records(matching: CredentialQuery()).count == 1)
        let before = try Data(contentsOf: file)
        try store.update(matching: CredentialQuery()) { _ in [] }
        #expect(try Data(contentsOf: file) == before)
        try folder.place("cache.json", Data("{}".utf8))
        #expect(try store.records(matching: CredentialQuery()).isEmpty)
    }

    @Test("Keeps unknown entries, and the format of the file")
    func form() throws {
        let text = Data(#"{"Future":{"a":1.50}}"#.utf8)
        try folder.place("cache.json", text.base64EncodedData())
        try save(Self.record())
        let decoded = try #require(Data(base64Encoded: Data(contentsOf: file)))
        #expect(String(decoding: decoded, as: UTF8.self).contains(#""Future": {"a":1.50}"#))
        #expect(try store().records(matching: CredentialQuery()) == [Self.record()])
    }

    @Test(
        "An unreadable file is an error, and stays as it is",
        arguments: ["{", "[]", "not a cache", "e30", "bm90IGEgY2FjaGU="])
    func damaged(text: String) throws {
        try folder.place("cache.json", Data(text.utf8))
        for call in [{ _ = try store().records(matching: CredentialQuery()) }, { try save(Self.record()) }] {
            let failure = #expect(throws: CredentialStoreFailure.self, performing: call)
            #expect(failure?.kind == .unsupported)
            #expect(failure?.reason.contains(file.path) == true)
            #expect(failure?.reason.contains("not a cache") == false)
        }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        #expect(!FileManager.default.fileExists(atPath: file.path + ".lockfile"))
    }

    @Test("An empty file is an empty cache only if no writer is about to fill it")
    func emptied() throws {
        try folder.place("cache.json", Data())
        #expect(try store().records(matching: CredentialQuery()).isEmpty)
        // Another process has the lock: it truncated the file, and has not written yet.
        try folder.place("cache.json.lockfile", Data("\(getppid()) other".utf8))
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try store(lock: .init(seconds: 0, staleSeconds: 0)).records(matching: CredentialQuery())
        }
        #expect(failure?.kind == .busy)
    }

    @Test("An empty file that had content is an error and stays, until it is removed")
    func emptiedForGood() throws {
        try save(Self.record())
        try folder.place("cache.json", Data())
        for call in [{ _ = try store().records(matching: CredentialQuery()) }, { try save(Self.record("u2.t1")) }] {
            let failure = #expect(throws: CredentialStoreFailure.self, performing: call)
            #expect(failure?.kind == .unsupported)
            #expect(failure?.reason.contains("\(file.path) is empty, but was not.") == true)
        }
        #expect(try Data(contentsOf: file).isEmpty)
        try FileManager.default.removeItem(at: file)
        #expect(try store().records(matching: CredentialQuery()).isEmpty)
        try save(Self.record("u2.t1"))
        #expect(try store().records(matching: CredentialQuery()) == [Self.record("u2.t1")])
    }

    @Test("A store remembers that the file had content, also of another program")
    func emptiedAfterReading() throws {
        try folder.place("cache.json", Data("{}".utf8))
        let store = store()
        #expect(try store.records(matching: CredentialQuery()).isEmpty)
        try folder.place("cache.json", Data())
        #expect(throws: CredentialStoreFailure.self) { try store.records(matching: CredentialQuery()) }
        #expect(try self.store().records(matching: CredentialQuery()).isEmpty)
    }

    @Test("An empty file that nobody writes is an empty cache, and is saved to")
    func new() throws {
        try folder.place("cache.json", Data())
        try save(Self.record())
        #expect(try store().records(matching: CredentialQuery()) == [Self.record()])
    }

    @Test(
        "A file that a program has open for writing is neither read nor replaced", arguments: ["", "{\"Account\": {"])
    func written(text: String) throws {
        try folder.place("cache.json", Data(text.utf8))
        let writer = try FileHandle(forWritingTo: file)
        defer { try? writer.close() }
        let store = store(settling: .init(quietSeconds: 0, seconds: 0))
        for call in [
            { _ = try store.records(matching: CredentialQuery()) },
            { try store.update(matching: CredentialQuery()) { _ in [.save(Self.record())] } },
        ] {
            let failure = #expect(throws: CredentialStoreFailure.self, performing: call)
            #expect(failure?.kind == .busy)
            #expect(failure?.reason.contains("this program itself has not finished writing it") == true)
        }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test("Waits for a program that writes the file without the lock", arguments: [false, true])
    func completed(saves: Bool) async throws {
        try folder.place("cache.json", Data())
        let store = store(settling: .init(quietSeconds: 3600, seconds: 3600))
        let file = file
        async let result = RawClient.off {
            if saves {
                try store.update(matching: CredentialQuery()) { _ in [.save(Self.record("u2.t1"))] }
            }
            return try store.records(matching: CredentialQuery()).map(\.key.homeAccountID)
        }
        try await wait(until: "the waiting store has the lock") {
            FileManager.default.fileExists(atPath: file.path + ".lockfile")
        }
        try Self.text("u1.t1").write(to: file)
        #expect(try await result == (saves ? ["u1.t1", "u2.t1"] : ["u1.t1"]))
    }

    /// The file's text with these accounts, as another program writes it.
    private static func text(_ accounts: String...) -> Data {
        var document = UnifiedDocument()
        document.apply(accounts.map { .save(Self.record($0)) })
        return Data(document.bytes)
    }

    private var accounts: [String] {
        get throws { try store().records(matching: CredentialQuery()).map(\.key.homeAccountID) }
    }

    @Test("A change begins again if another program changes the file meanwhile")
    func changedMeanwhile() throws {
        try folder.place("cache.json", Self.text("u1.t1"))
        var seen: [Int] = []
        try store().update(matching: CredentialQuery()) { records in
            if seen.isEmpty { try? Self.text("u1.t1", "u2.t1").write(to: file) }
            seen.append(records.count)
            return [.save(Self.record("u3.t1"))]
        }
        #expect(seen == [1, 2])
        #expect(try accounts == ["u1.t1", "u2.t1", "u3.t1"])
    }

    @Test("A change that always begins again is saved in the end, together with what the other program wrote")
    func changedAlways() throws {
        try folder.place("cache.json", Self.text("u0.t1"))
        var count = 0
        try store(retrySeconds: -1).update(matching: CredentialQuery()) { _ in
            count += 1
            try? Self.text("u0.t1", "u\(count).t1").write(to: file)
            return [.save(Self.record("u9.t1"))]
        }
        #expect(count == 1)
        #expect(try accounts == ["u0.t1", "u1.t1", "u9.t1"])
    }

    /// Saves the account u2, up to the moment when the file is replaced.
    private func change(
        _ store: UnifiedFileCredentialStore, _ records: [CredentialRecord] = [record("u2.t1")]
    ) throws -> UnifiedFile.Replacement {
        let change = try store.replace { content in
            var payload = content.payload
            payload.document.apply(records.map { .save($0) })
            return payload
        }
        return try #require(change)
    }

    @Test("A change is made again if a program that read the file before saves after it")
    func overwritten() throws {
        try folder.place("cache.json", Self.text("u1.t1"))
        let store = store()
        let change = try change(store)
        try Self.text("u1.t1", "u3.t1").write(to: file)
        try store.watch(over: change)
        #expect(try accounts == ["u1.t1", "u2.t1", "u3.t1"])
    }

    @Test("A change stays undone if another program removes its account")
    func removedAccount() throws {
        try folder.place("cache.json", Self.text("u1.t1"))
        let store = store()
        let change = try change(store, [Self.record("u2.t1"), Self.record("u3.t1")])
        try Self.text("u1.t1", "u3.t1").write(to: file)
        try store.watch(over: change)
        #expect(try accounts == ["u1.t1", "u3.t1"])
    }

    @Test("What a program writes to the replaced file is added")
    func writtenLate() throws {
        try folder.place("cache.json", Self.text("u1.t1"))
        let late = try FileHandle(forUpdating: file)
        let store = store()
        let change = try change(store)
        try late.truncate(atOffset: 0)
        try late.write(contentsOf: Self.text("u1.t1", "u3.t1"))
        try late.close()
        try store.watch(over: change)
        #expect(try accounts == ["u1.t1", "u2.t1", "u3.t1"])
    }

    @Test("A replaced file that is left incomplete changes nothing")
    func abandonedLate() throws {
        try folder.place("cache.json", Self.text("u1.t1"))
        let late = try FileHandle(forUpdating: file)
        let store = store()
        let change = try change(store)
        try late.truncate(atOffset: 0)
        try late.close()
        try store.watch(over: change)
        #expect(try accounts == ["u1.t1", "u2.t1"])
    }

    @Test("A file that is removed after a change stays away")
    func removed() throws {
        let store = store()
        let change = try change(store)
        try FileManager.default.removeItem(at: file)
        try store.watch(over: change)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("Rejects a link, a file that other users can read, and a folder that they can write to")
    func unsafe() throws {
        func rejected() throws {
            let failure = #expect(throws: CredentialStoreFailure.self) { try save(Self.record()) }
            #expect(failure?.kind == .unsafePermissions)
        }
        try folder.place("other.json", Data("{}".utf8))
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("other.json"))
        try rejected()
        try FileManager.default.removeItem(at: file)
        try folder.place("cache.json", Data("{}".utf8))
        chmod(file.path, 0o644)
        try rejected()
        chmod(file.path, 0o600)
        chmod(folder.url.path, 0o777)
        try rejected()
        chmod(folder.url.path, 0o755)
        try save(Self.record())
    }

    @Test("Waits while a living process holds the lock, and names that process")
    func busy() throws {
        try folder.place("cache.json.lockfile", Data("\(getppid()) other".utf8))
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try store(lock: .init(seconds: 0, staleSeconds: 0)).update(matching: CredentialQuery()) { _ in
                [.save(Self.record())]
            }
        }
        #expect(failure?.kind == .busy)
        #expect(failure?.reason.contains("(process \(getppid())) has locked \(file.path)") == true)
        #expect(failure?.remedy?.contains("cache.json.lockfile") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(FileManager.default.fileExists(atPath: file.path + ".lockfile"))
    }

    /// An unused process ID: above the largest that Linux assigns.
    @Test("Takes over a dead process's lock", arguments: ["4194999 python", "4194999 dotnet\n", "", "unknown"])
    func stale(content: String) throws {
        try folder.place("cache.json.lockfile", Data(content.utf8))
        try save(Self.record())
        #expect(try store().records(matching: CredentialQuery()) == [Self.record()])
        #expect(!FileManager.default.fileExists(atPath: file.path + ".lockfile"))
    }

    @Test("Concurrent changes by many stores lose nothing")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    try await RawClient.off {
                        let store = self.store()
                        for round in 0..<10 {
                            try store.update(matching: CredentialQuery()) { records in
                                let total = records.first { $0.key.homeAccountID == "total" }?.members["secret"]?.double
                                return [
                                    .save(Self.record("total", secret: String(Int(total ?? 0) + 1))),
                                    .save(Self.record("\(worker).\(round)")),
                                ]
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let records = try store().records(matching: CredentialQuery())
        #expect(records.count == 81)
        #expect(records.first { $0.key.homeAccountID == "total" }?.members["secret"] == "80")
    }
}
