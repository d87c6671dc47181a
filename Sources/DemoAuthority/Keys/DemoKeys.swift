import KeyturnCrypto
import OAuthCore

/// The keys the authority signs with, in the order in which it takes to them. They live as long as the server: no key is
/// kept in a file or in this repository.
package struct DemoKeys: Sendable {
    /// RS256 first: it is the one algorithm every client must know (OpenID Connect Core §15.1).
    private let ring: [SigningKey]

    package static func generate() throws(CryptoFailure) -> DemoKeys {
        try DemoKeys(.generate(.rsa(bits: 2048)))
    }

    /// From an RSA key.
    package init(pem: String) throws(CryptoFailure) {
        try self.init(PrivateKey(pem: pem))
    }

    private init(_ rsa: PrivateKey) throws(CryptoFailure) {
        guard case .rsa = rsa.publicKey else { throw CryptoFailure.algorithmMismatch }
        ring = [
            SigningKey(rsa, for: .rs256), SigningKey(try .generate(.elliptic(.p256)), for: .es256),
            // Making another RSA key would take longer than all the rest of the start.
            SigningKey(rsa, for: .ps256, keyIDSuffix: "-PSS"),
        ]
    }

    static let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .ps256]

    package var keyID: String { ring[0].keyID }

    /// The keys in the order they come to be used, when `first` is the first.
    private func order(from first: SignatureAlgorithm) -> [SigningKey] {
        let start = ring.firstIndex { $0.algorithm == first } ?? 0
        return Array(ring[start...] + ring[..<start])
    }

    /// The key in use after so many rotations.
    func current(from first: SignatureAlgorithm, rotations: Int) -> SigningKey {
        order(from: first)[rotations % ring.count]
    }

    /// What the key set holds: every key that was in use so far, so that earlier tokens can still be verified.
    func published(from first: SignatureAlgorithm, rotations: Int) -> [SigningKey] {
        Array(order(from: first).prefix(rotations + 1))
    }

    /// The claims of a JWT if it was signed with one of these keys. Says nothing about its expiry.
    func claims(ofOwnToken token: String) -> [String: JSONValue]? {
        ring.lazy.compactMap { $0.claims(ofOwnToken: token) }.first
    }
}
