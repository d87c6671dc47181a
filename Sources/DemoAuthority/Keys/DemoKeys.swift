import Crypto
import OAuthCore

/// The keys the authority signs with. They live as long as the server: no key is kept in a file or in this repository.
package struct DemoKeys: Sendable {
    private let privateKey: PrivateKey
    /// The thumbprint of the public key (RFC 7638), so that equal keys have equal identifiers.
    package let keyID: String
    /// The public half as a JWK (RFC 7517).
    let publicJWK: JSONValue

    package static func generate() throws(CryptoFailure) -> DemoKeys {
        try DemoKeys(.generate(.rsa(bits: 2048)))
    }

    package init(pem: String) throws(CryptoFailure) {
        try self.init(PrivateKey(pem: pem))
    }

    private init(_ privateKey: PrivateKey) throws(CryptoFailure) {
        // RS256 is the one algorithm every client must know (OpenID Connect Core §15.1).
        guard case .rsa(let modulus, let exponent) = privateKey.publicKey else {
            throw CryptoFailure.algorithmMismatch
        }
        let required: [String: JSONValue] = [
            "kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent)),
        ]
        self.privateKey = privateKey
        keyID = Self.thumbprint(ofRequiredMembers: required)
        let others: [String: JSONValue] = ["use": "sig", "alg": "RS256", "kid": .string(keyID)]
        publicJWK = .object(required.merging(others) { own, _ in own })
    }

    /// RFC 7638 §3: the digest of the required members in lexical order, with no blanks.
    static func thumbprint(ofRequiredMembers members: [String: JSONValue]) -> String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(members).serialized.utf8)))
    }

    /// A JWT in compact form (RFC 7515 §3.1).
    func sign(_ claims: [String: JSONValue]) throws(CryptoFailure) -> String {
        let header: JSONValue = ["typ": "JWT", "alg": "RS256", "kid": .string(keyID)]
        let input = [header, .object(claims)].map { Base64URL.encode(Array($0.serialized.utf8)) }.joined(separator: ".")
        let signature = try privateKey.sign(Array(input.utf8), algorithm: .rs256)
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// The claims of a JWT if it was signed with these keys. Says nothing about its expiry.
    func claims(ofOwnToken token: String) -> [String: JSONValue]? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]), let payload = Base64URL.decode(parts[1]),
            privateKey.publicKey.isValidSignature(
                signature, of: Array("\(parts[0]).\(parts[1])".utf8), algorithm: .rs256)
        else { return nil }
        return (try? JSONValue(parsing: payload))?.object
    }
}
