import KeyturnCrypto

/// Keeps the key that this machine's access tokens are bound to (RFC 7800): one for every application of a cache.
package protocol ProofKeyStore: Sendable {
    /// The key: RSA, 2048 bits. Made on first use; the same one from then on.
    func key() throws(ProofKeyFailure) -> PrivateKey
}
