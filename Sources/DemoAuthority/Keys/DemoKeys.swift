import KeyturnCrypto
import OAuthCore

/// The authority's signing keys. They exist as long as the server and are stored nowhere.
package struct DemoKeys: Sendable {
    /// The keys in rotation order. RS256 is first, because every client must support it (OpenID Connect Core §15.1).
    private let ring: [SigningKey]

    package static func generate() throws(CryptoFailure) -> DemoKeys {
        try DemoKeys(.generate(.rsa(bits: 2048)))
    }

    private init(_ rsa: PrivateKey) throws(CryptoFailure) {
        ring = [
            SigningKey(rsa, for: .rs256), SigningKey(try .generate(.elliptic(.p256)), for: .es256),
            // Reuses the RSA key, because generating another takes long.
            SigningKey(rsa, for: .ps256, keyIDSuffix: "-PSS"),
        ]
    }

    static let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .ps256]

    /// The keys in rotation order, starting with `first`.
    private func order(from first: SignatureAlgorithm) -> [SigningKey] {
        let start = ring.firstIndex { $0.algorithm == first } ?? 0
        return Array(ring[start...] + ring[..<start])
    }

    /// The key in use after a number of rotations.
    func current(from first: SignatureAlgorithm, rotations: Int) -> SigningKey {
        order(from: first)[rotations % ring.count]
    }

    /// The published keys: all that have been in use, so that earlier tokens can be verified.
    func published(from first: SignatureAlgorithm, rotations: Int) -> [SigningKey] {
        Array(order(from: first).prefix(rotations + 1))
    }

    /// The claims of a JWT signed with one of these keys; nil otherwise. Doesn't check expiry.
    func claims(ofOwnToken token: String) -> [String: JSONValue]? {
        ring.lazy.compactMap { $0.claims(ofOwnToken: token) }.first
    }
}
