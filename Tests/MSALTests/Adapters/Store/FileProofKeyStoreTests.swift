import Foundation
import KeyturnCrypto
import MSAL
import Testing

@Suite("Key for bound tokens")
struct FileProofKeyStoreTests {
    @Test("Creates a 2048-bit RSA key once, keeps it, and leaves no other file")
    func once() throws {
        let folder = try TemporaryFolder()
        let key = try FileProofKeyStore(file: folder.file("keys/pop.pem")).key()
        guard case .rsa(let modulus, _) = key.publicKey else {
            Issue.record("not an RSA key")
            return
        }
        #expect(modulus.count == 256)
        #expect(try FileProofKeyStore(file: folder.file("keys/pop.pem")).key().publicKey == key.publicKey)
        #expect(try folder.permissions("keys") == 0o700)
        #expect(try folder.permissions("keys/pop.pem") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("keys").path) == ["pop.pem"])
    }

    @Test("Concurrent creators agree on one key")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let keys = try await withThrowingTaskGroup(of: PublicKey.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await RawClient.off { try FileProofKeyStore(file: folder.file("key")).key().publicKey }
                }
            }
            return try await group.reduce(into: Set<PublicKey>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test("Rejects a file that is not an RSA key, never replaces it, and shows none of its content")
    func malformed() throws {
        let folder = try TemporaryFolder()
        let other = try PrivateKey.generate(.elliptic(.p256)).pem
        for content in ["", "nonsense", other] {
            try folder.place("key", Data(content.utf8))
            let failure = #expect(throws: ProofKeyFailure.self) {
                try FileProofKeyStore(file: folder.file("key")).key()
            }
            #expect(content.isEmpty || failure?.reason.contains(content) == false)
            #expect(try Data(contentsOf: folder.file("key")) == Data(content.utf8))
        }
    }

    @Test("Rejects a key that other users can read")
    func unsafe() throws {
        let folder = try TemporaryFolder()
        let store = FileProofKeyStore(file: folder.file("key"))
        _ = try store.key()
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: folder.file("key").path)
        #expect(throws: ProofKeyFailure.self) { try store.key() }
    }
}
