import Foundation
import LinuxAdapters
import Testing

@Suite("Key file")
struct FileKeyVaultTests {
    @Test("makes a key once, keeps it, and leaves nothing else behind")
    func once() throws {
        let folder = try TemporaryFolder()
        let key = try FileKeyVault(file: folder.file("keys/data.key")).dataKey()
        #expect(key.count == 32)
        #expect(try FileKeyVault(file: folder.file("keys/data.key")).dataKey() == key)
        #expect(try folder.permissions("keys") == 0o700)
        #expect(try folder.permissions("keys/data.key") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("keys").path) == ["data.key"])
        #expect(try FileKeyVault(file: folder.file("keys/other.key")).dataKey() != key)
    }

    @Test("many at once agree on one key")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 {
                group.addTask { try await RawClient.off { try FileKeyVault(file: folder.file("key")).dataKey() } }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test("refuses a file of another length and never replaces it", arguments: [0, 31, 33, 5000])
    func malformed(length: Int) throws {
        let folder = try TemporaryFolder()
        let content = Data(repeating: 1, count: length)
        try folder.place("key", content)
        let failure = #expect(throws: KeyVaultFailure.self) { try FileKeyVault(file: folder.file("key")).dataKey() }
        #expect(failure?.kind == .malformed)
        #expect(try Data(contentsOf: folder.file("key")) == content)
    }

    @Test("refuses a key that others may read, a link, and a folder")
    func unsafe() throws {
        let folder = try TemporaryFolder()
        let vault = FileKeyVault(file: folder.file("key"))
        let key = try vault.dataKey()
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: folder.file("key").path)
        #expect(throws: KeyVaultFailure.self) { try vault.dataKey() }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("key").path)
        #expect(try vault.dataKey() == key)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link").path, withDestinationPath: folder.file("key").path)
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        for name in ["link", "folder"] {
            let failure = #expect(throws: KeyVaultFailure.self) {
                try FileKeyVault(file: folder.file(name)).dataKey()
            }
            #expect(failure?.kind == .unsafePermissions)
        }
    }
}
