import KeyturnCrypto
import OAuthCore

/// A signing key and its algorithm (RFC 7517 §4.4).
struct SigningKey: Sendable {
    private let privateKey: PrivateKey
    let algorithm: SignatureAlgorithm
    let keyID: String
    /// The public half as a JWK (RFC 7517).
    let publicJWK: JSONValue

    /// Creates a key whose ID is the thumbprint of its public key (RFC 7638).
    init(_ privateKey: PrivateKey, for algorithm: SignatureAlgorithm, keyIDSuffix: String = "") {
        let required = Self.requiredMembers(of: privateKey.publicKey)
        self.privateKey = privateKey
        self.algorithm = algorithm
        keyID = Self.thumbprint(ofRequiredMembers: required) + keyIDSuffix
        let others: [String: JSONValue] = [
            "use": "sig", "alg": .string(algorithm.rawValue), "kid": .string(keyID),
        ]
        publicJWK = .object(required.merging(others) { own, _ in own })
    }

    private static func requiredMembers(of key: PublicKey) -> [String: JSONValue] {
        switch key {
        case .rsa(let modulus, let exponent):
            ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
        case .elliptic(let curve, let x, let y):
            [
                "kty": "EC", "crv": .string(curve.rawValue), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        case .ed25519(let bytes): ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(bytes))]
        }
    }

    /// The thumbprint (RFC 7638 §3): the digest of the required members in lexical order, without spaces.
    static func thumbprint(ofRequiredMembers members: [String: JSONValue]) -> String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(members).serialized.utf8)))
    }

    /// The header of the tokens it signs (RFC 7515 §4).
    var header: [String: JSONValue] {
        ["typ": "JWT", "alg": .string(algorithm.rawValue), "kid": .string(keyID)]
    }

    /// A JWT in compact form (RFC 7515 §3.1).
    func sign(_ claims: [String: JSONValue], header: [String: JSONValue]) throws(CryptoFailure) -> String {
        let input = [JSONValue.object(header), .object(claims)].map { Base64URL.encode(Array($0.serialized.utf8)) }
            .joined(separator: ".")
        let signature = try privateKey.sign(Array(input.utf8), algorithm: algorithm)
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// The claims of a JWT signed with this key; nil otherwise. Doesn't check expiry.
    func claims(ofOwnToken token: String) -> [String: JSONValue]? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]), let payload = Base64URL.decode(parts[1]),
            privateKey.publicKey.isValidSignature(
                signature, of: Array("\(parts[0]).\(parts[1])".utf8), algorithm: algorithm)
        else { return nil }
        return (try? JSONValue(parsing: payload))?.object
    }
}
