import Foundation
import KeyturnCrypto
import MSAL
import OAuthCore
import TestSupport
import Testing

@Suite("Key for bound tokens, in the token store")
struct EncryptedProofKeyStoreTests {
    @Test("Is created once, is the same in another process, and is in no file in plain text")
    func once() throws {
        let folder = try TemporaryFolder()
        let key = try EncryptedProofKeyStore(SQLiteCredentialStore.of(folder)).key()
        #expect(try EncryptedProofKeyStore(SQLiteCredentialStore.of(folder)).key().publicKey == key.publicKey)
        guard case .rsa(let modulus, _) = key.publicKey else {
            Issue.record("not an RSA key")
            return
        }
        #expect(modulus.count == 256)
        let bytes = try folder.storeBytes()
        #expect(bytes.range(of: Data("PRIVATE".utf8)) == nil)
        #expect(bytes.range(of: Data(key.pem.utf8.dropFirst(40).prefix(40))) == nil)
    }

    @Test("Concurrent creators agree on one key")
    func concurrent() async throws {
        let folder = try TemporaryFolder()
        let keys = try await withThrowingTaskGroup(of: PublicKey.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await RawClient.off {
                        try EncryptedProofKeyStore(SQLiteCredentialStore.of(folder)).key().publicKey
                    }
                }
            }
            return try await group.reduce(into: Set<PublicKey>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test("Is rejected if it is not an RSA key, and not replaced")
    func malformed() throws {
        let store = MemoryCredentialStore()
        let other = try PrivateKey.generate(.elliptic(.p256)).pem
        for pem in ["nonsense", other] {
            let record = CredentialRecord(CredentialKey(.proofKey), ["pem": .string(pem)])
            try store.update(matching: CredentialQuery()) { _ in [.save(record)] }
            let failure = #expect(throws: ProofKeyFailure.self) { try EncryptedProofKeyStore(store).key() }
            #expect(failure?.reason.contains(pem) == false)
            #expect(store.all == [record])
        }
    }

    @Test("Is unavailable when the store is, with the store's cause and next step")
    func failing() {
        let store = MemoryCredentialStore()
        let failure = CredentialStoreFailure(.io, reason: "The disk is gone.")
        store.fail(with: failure)
        #expect(throws: ProofKeyFailure(reason: "The disk is gone.", remedy: failure.nextStep)) {
            try EncryptedProofKeyStore(store).key()
        }
    }

    @Test("Is not exported")
    func export() throws {
        let store = MemoryCredentialStore()
        _ = try EncryptedProofKeyStore(store).key()
        var document = UnifiedDocument()
        document.apply(store.all.map { .save($0) })
        #expect(document.records.isEmpty)
        #expect(!String(decoding: document.bytes, as: UTF8.self).contains("PRIVATE"))
        document.apply(store.all.map { .delete($0.key) })
    }
}
