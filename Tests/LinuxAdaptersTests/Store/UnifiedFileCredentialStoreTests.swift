import AuthEngine
import Foundation
import Glibc
import OAuthCore
import Testing

@testable import LinuxAdapters

/// The file that other programs read and write at the same time.
struct UnifiedFileCredentialStoreTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("cache.json")
    }

    private func store(
        _ patience: SharedCacheLock.Patience = .init(seconds: 30, staleSeconds: 0, namelessSeconds: 0)
    ) -> UnifiedFileCredentialStore {
        UnifiedFileCredentialStore(file: file, patience: patience)
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
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["cache.json"])
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
            try store(.init(seconds: 0, staleSeconds: 0)).records(matching: CredentialQuery())
        }
        #expect(failure?.kind == .busy)
    }

    @Test("Rejects a link, a file that other users can read, and a folder that they can write to")
    func unsafe() throws {
        func refused() throws {
            let failure = #expect(throws: CredentialStoreFailure.self) { try save(Self.record()) }
            #expect(failure?.kind == .unsafePermissions)
        }
        try folder.place("other.json", Data("{}".utf8))
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("other.json"))
        try refused()
        try FileManager.default.removeItem(at: file)
        try folder.place("cache.json", Data("{}".utf8))
        chmod(file.path, 0o644)
        try refused()
        chmod(file.path, 0o600)
        chmod(folder.url.path, 0o777)
        try refused()
        chmod(folder.url.path, 0o755)
        try save(Self.record())
    }

    @Test("Waits while a living process holds the lock, and names that process")
    func busy() throws {
        try folder.place("cache.json.lockfile", Data("\(getppid()) other".utf8))
        let failure = #expect(throws: CredentialStoreFailure.self) {
            try store(.init(seconds: 0, staleSeconds: 0)).update(matching: CredentialQuery()) { _ in
                [.save(Self.record())]
            }
        }
        #expect(failure?.kind == .busy)
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
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    try await RawClient.off {
                        let store = UnifiedFileCredentialStore(file: file)
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
