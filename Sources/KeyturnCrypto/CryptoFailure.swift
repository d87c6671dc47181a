/// Why a cryptographic operation gave nothing. It never says more: the inputs may be secret.
package enum CryptoFailure: Error, Sendable, Equatable {
    /// A key or nonce that is not of the length the algorithm wants, or a PEM text that holds no private key.
    case malformedKey
    /// The sealed text was changed, or was sealed with another key, nonce or associated data.
    case notAuthentic
    /// The key cannot be used with this algorithm.
    case algorithmMismatch
    /// OpenSSL refused, or is not there.
    case unavailable
}
