import Foundation
import KeyturnCrypto
import KeyturnSystem

package struct EncryptedProofKeyStore: ProofKeyStore {
    private static let key = CredentialKey(.proofKey)
    private static let query = CredentialQuery(kinds: [.proofKey], homeAccountIDs: [""])
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) { self.store = store }

    package func key() throws(ProofKeyFailure) -> PrivateKey {
        var text = try stored()
        if text == nil { text = try make() }
        guard let text, let key = try? PrivateKey(pem: text), case .rsa = key.publicKey else {
            throw ProofKeyFailure(reason: "The key for bound tokens in the token cache is not an RSA key.")
        }
        return key
    }

    private func stored() throws(ProofKeyFailure) -> String? {
        try translating { () throws(CredentialStoreFailure) in
            try store.records(matching: Self.query).first?.members["pem"]?.string
        }
    }

    /// Creates the key, or returns that of another process that was first.
    private func make() throws(ProofKeyFailure) -> String? {
        // Before the transaction, because it takes a while.
        guard let key = try? PrivateKey.generate(.rsa(bits: 2048)) else {
            throw ProofKeyFailure(reason: "OpenSSL can't create a key of 2048 bits.")
        }
        try translating { () throws(CredentialStoreFailure) in
            try store.update(matching: Self.query) { records in
                records.isEmpty ? [.save(CredentialRecord(Self.key, ["pem": .string(key.pem)]))] : []
            }
        }
        return try stored()
    }

    private func translating<Value>(
        _ work: () throws(CredentialStoreFailure) -> Value
    ) throws(ProofKeyFailure) -> Value {
        do { return try work() } catch { throw ProofKeyFailure(reason: error.reason, remedy: error.nextStep) }
    }
}

/// The key for bound tokens in a file (PKCS #8) that only its owner can read, for a cache that isn't encrypted either.
package struct FileProofKeyStore: ProofKeyStore {
    /// A generous limit for a 2048-bit key in PEM.
    private static let sizeLimit = 8 << 10
    private let path: String

    package init(file: URL) { path = file.path(percentEncoded: false) }

    package func key() throws(ProofKeyFailure) -> PrivateKey {
        let bytes: [UInt8]
        do { bytes = try readOrCreate() } catch { throw ProofKeyFailure(reason: error.reason, remedy: error.remedy) }
        guard let key = try? PrivateKey(pem: String(decoding: bytes, as: UTF8.self)), case .rsa = key.publicKey else {
            throw ProofKeyFailure(
                reason: "\(path) does not contain an RSA key in PEM.",
                remedy: "Move it away to create a new key. Tokens bound to the old one are then requested again.")
        }
        return key
    }

    private func readOrCreate() throws(PrivateFile.Failure) -> [UInt8] {
        try PrivateFile.prepareFolder(path.parentFolder)
        if let bytes = try PrivateFile.read(path, atMost: Self.sizeLimit) { return bytes }
        guard let key = try? PrivateKey.generate(.rsa(bits: 2048)) else {
            throw CredentialStoreFailure(.io, reason: "OpenSSL can't create a key of 2048 bits.")
        }
        // Never replaces the key of another process that was first.
        try PrivateFile.write(Array(key.pem.utf8), to: path, replaces: false)
        // Read it back, because the key of another process may have been first.
        guard let bytes = try PrivateFile.read(path, atMost: Self.sizeLimit) else {
            throw CredentialStoreFailure(.io, reason: "\(path) disappeared after it was created.")
        }
        return bytes
    }
}
