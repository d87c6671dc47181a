import KeyturnCrypto
import OAuthCore

/// The authority's signing keys. They exist as long as the server and are stored nowhere.
package struct DemoKeys: Sendable {
    /// The keys in rotation order. RS256 is first, because every client must support it (OpenID Connect Core §15.1).
    private let ring: [SigningKey]

    package static func generate() throws(CryptoFailure) -> DemoKeys { try DemoKeys(.generate(.rsa(bits: 2048))) }

    private init(_ rsa: PrivateKey) throws(CryptoFailure) {
        ring = [
            SigningKey(rsa, for: .rs256), SigningKey(try .generate(.elliptic(.p256)), for: .es256),
            // Reuses the RSA key, because generating another takes long.
            SigningKey(rsa, for: .ps256, keyIDSuffix: "-PSS"),
        ]
    }

    static let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .ps256]

    private func order(from first: SignatureAlgorithm) -> [SigningKey] {
        let start = ring.firstIndex { $0.algorithm == first } ?? 0
        return Array(ring[start...] + ring[..<start])
    }

    func current(from first: SignatureAlgorithm, rotations: Int) -> SigningKey {
        order(from: first)[rotations % ring.count]
    }

    /// The published keys: all that have been in use, so that earlier tokens can be verified.
    func published(from first: SignatureAlgorithm, rotations: Int) -> [SigningKey] {
        Array(order(from: first).prefix(rotations + 1))
    }

    /// Nil unless one of these keys signed the JWT. Doesn't check expiry.
    func ownToken(_ text: String) -> JWT? {
        (try? JWT(parsing: text)).flatMap { token in ring.contains { $0.signed(token) } ? token : nil }
    }
}

struct SigningKey: Sendable {
    private let privateKey: PrivateKey
    let algorithm: SignatureAlgorithm
    private let keyID: String

    /// Creates a key whose ID is the thumbprint of its public key (RFC 7638).
    init(_ privateKey: PrivateKey, for algorithm: SignatureAlgorithm, keyIDSuffix: String = "") {
        (self.privateKey, self.algorithm) = (privateKey, algorithm)
        keyID = privateKey.publicKey.thumbprint + keyIDSuffix
    }

    func publicKey(of issuer: String) -> JWK {
        JWK(privateKey.publicKey, keyID: keyID, algorithm: algorithm.rawValue, issuer: issuer)
    }

    /// The header of the tokens it signs (RFC 7515 §4).
    var header: [String: JSONValue] { ["typ": "JWT", "alg": .string(algorithm.rawValue), "kid": .string(keyID)] }

    func sign(_ claims: [String: JSONValue], header: [String: JSONValue]) throws(CryptoFailure) -> String {
        try JWT.compact(header: .object(header), payload: .object(claims)) {
            (input) throws(CryptoFailure) in try privateKey.sign(input, algorithm: algorithm)
        }
    }

    func signed(_ token: JWT) -> Bool {
        privateKey.publicKey.isValidSignature(token.signature, of: token.signingInput, algorithm: algorithm)
    }
}
