import KeyturnCrypto

/// Stores the key that access tokens are bound to (RFC 7800), one for all applications of a cache.
package protocol ProofKeyStore: Sendable {
    /// Returns the RSA key of 2048 bits, creating it on first use.
    func key() throws(ProofKeyFailure) -> PrivateKey
}
