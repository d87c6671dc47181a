import KeyturnCrypto

/// The key for bound tokens as an encrypted record of the token store.
package struct EncryptedProofKeyStore: ProofKeyStore {
    private static let key = CredentialKey(.proofKey)
    private static let query = CredentialQuery(kinds: [.proofKey], homeAccountIDs: [""])
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) {
        self.store = store
    }

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
