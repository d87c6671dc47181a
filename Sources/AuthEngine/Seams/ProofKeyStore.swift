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

/// Where no key can be kept: requests for bound tokens fail, all others go on.
package struct AbsentProofKeyStore: ProofKeyStore {
    package init() {}

    package func key() throws(ProofKeyFailure) -> PrivateKey {
        throw ProofKeyFailure(reason: "There is no place to keep the key that the token shall be bound to.")
    }
}
