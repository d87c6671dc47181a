import KeyturnCrypto

/// What stands for a token where the token itself must not: its SHA-256.
package struct TokenDigest: Sendable, Equatable {
    /// 64 hexadecimal digits.
    package let text: String

    package init(of token: String) { text = SHA2.sha256(Array(token.utf8)).hexadecimal }
}
