import Crypto

/// Keeps the key that this machine's access tokens are bound to (RFC 7800): one for every application of a cache.
package protocol ProofKeyStore: Sendable {
    /// The key: RSA, 2048 bits. Made on first use; the same one from then on.
    func key() throws(ProofKeyFailure) -> PrivateKey
}

/// There is no key to bind a token to.
package struct ProofKeyFailure: Error, Sendable, Equatable {
    /// What happened and why, for a person. Never anything of the key.
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
