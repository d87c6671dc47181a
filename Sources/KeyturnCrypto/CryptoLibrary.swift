import COpenSSL

/// OpenSSL as a whole.
package enum CryptoLibrary {
    /// Loads it now. To be called before other libraries use it: who is first decides whether it frees its state when the
    /// process exits, while other threads may still be at it.
    package static func load() { keyturn_crypto_load() }
}
