import CCrypto

/// The reason why a cryptographic operation failed. Without details, because the inputs may be secret.
package enum CryptoFailure: Error, Sendable, Equatable {
    /// A key or nonce has the wrong length, or a PEM text contains no private key.
    case malformedKey
    /// The ciphertext was modified, or encrypted with another key, nonce or associated data.
    case notAuthentic
    case algorithmMismatch
    /// OpenSSL failed or isn't installed.
    case unavailable
}

package enum CryptoLibrary {
    /// Loads OpenSSL. Call this before other libraries use it: the first user decides whether OpenSSL frees its state
    /// at exit, while other threads may still use it.
    package static func load() { keyturn_crypto_load() }
}
