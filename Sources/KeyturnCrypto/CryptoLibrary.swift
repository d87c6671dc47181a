import COpenSSL

/// The OpenSSL library.
package enum CryptoLibrary {
    /// Loads OpenSSL. Call this before other libraries use it: the first user decides whether OpenSSL frees its state
    /// at exit, while other threads may still use it.
    package static func load() { keyturn_crypto_load() }
}
