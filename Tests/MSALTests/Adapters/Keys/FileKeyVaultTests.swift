import Foundation
import Testing

@testable import MSAL

@Suite("Key file")
struct FileKeyVaultTests {
    private let folder: TemporaryFolder
    private let vault: FileKeyVault

    init() throws {
        folder = try TemporaryFolder()
        vault = FileKeyVault(store: folder.file("keys/cache.db"))
    }

    private func file(of kept: StoredDataKey) throws -> String {
        "keys/" + (try #require(kept.record.parameters["file"]?.string))
    }

    @Test("Stores each key in a separate file, and deletes it on request")
    func round() throws {
        let first = try vault.make()
        let second = try vault.make()
        #expect(first.key.count == 32 && first.key != second.key && first.record.id != second.record.id)
        #expect(try vault.dataKey(of: first.record) == first.key)
        #expect(try vault.dataKey(of: second.record) == second.key)
        #expect(try folder.permissions("keys") == 0o700)
        #expect(try folder.permissions(file(of: first)) == 0o600)
        try vault.discard(first.record)
        try vault.discard(first.record)
        let failure = #expect(throws: KeyVaultFailure.self) { try vault.dataKey(of: first.record) }
        #expect(failure?.kind == .missing)
        #expect(try vault.dataKey(of: second.record) == second.key)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("keys").path)
                == [(try file(of: second) as NSString).lastPathComponent])
    }

    @Test("Rejects a file of another length and never replaces it", arguments: [0, 31, 33, 5000])
    func malformed(length: Int) throws {
        let kept = try vault.make()
        let content = Data(repeating: 1, count: length)
        try folder.place(file(of: kept), content)
        let failure = #expect(throws: KeyVaultFailure.self) { try vault.dataKey(of: kept.record) }
        #expect(failure?.kind == .malformed)
        #expect(try Data(contentsOf: folder.file(file(of: kept))) == content)
    }

    @Test("Rejects a key file that other users can read, a link, and a folder")
    func unsafe() throws {
        let kept = try vault.make()
        let path = folder.file(try file(of: kept)).path
        func expectUnsafe() {
            let failure = #expect(throws: CredentialStoreFailure.self) { try vault.dataKey(of: kept.record) }
            #expect(failure?.kind == .unsafePermissions)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
        expectUnsafe()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try vault.dataKey(of: kept.record) == kept.key)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        expectUnsafe()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectUnsafe()
    }

    @Test("A record cannot name a file elsewhere", arguments: ["", "../x.key", "/etc/x.key", "cache.db"])
    func elsewhere(name: String) throws {
        let record = DataKeyRecord(place: .keyFile, id: "id", parameters: ["file": .string(name)])
        for work in [{ _ = try vault.dataKey(of: record) }, { try vault.discard(record) }] {
            let failure = #expect(throws: KeyVaultFailure.self, performing: work)
            #expect(failure?.kind == .malformed)
        }
    }
}
