import KeyturnCrypto

/// The signing keys of an authority (RFC 7517 §5).
package struct JWKSet: Sendable, Equatable {
    package static let maximumBytes = 1 << 20
    package static let maximumKeys = 256

    package let keys: [JWK]
    /// The other keys with the reasons. RFC 7517 §5 requires clients to ignore unknown keys.
    package let skipped: [Skipped]

    package struct Skipped: Sendable, Equatable {
        package var keyID: String?
        package var reason: JWK.Unusable
    }

    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSON
        case noKeysMember
        case tooManyKeys(limit: Int)
    }

    package init(keys: [JWK]) {
        self.keys = keys
        skipped = []
    }

    package init(parsing bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let value = try? JSONValue(parsing: bytes) else { throw .notJSON }
        guard let members = value["keys"]?.array else { throw .noKeysMember }
        guard members.count <= Self.maximumKeys else { throw .tooManyKeys(limit: Self.maximumKeys) }
        var keys: [JWK] = []
        var skipped: [Skipped] = []
        for member in members {
            do throws(JWK.Unusable) {
                let key = try JWK(member)
                if !keys.contains(key) { keys.append(key) }
            } catch {
                skipped.append(Skipped(keyID: member["kid"]?.string, reason: error))
            }
        }
        (self.keys, self.skipped) = (keys, skipped)
    }

    package var json: JSONValue { ["keys": .array(keys.map(\.json))] }

    /// The candidate keys for a signature: those with the `kid`, or without one all that fit the algorithm.
    package func keys(for keyID: String?, algorithm: SignatureAlgorithm) -> [JWK] {
        keys.filter { (keyID == nil || $0.keyID == keyID) && $0.fits(algorithm) }
    }
}

/// A public signing key of an authority (RFC 7517, RFC 7518 §6, RFC 8037 §2).
package struct JWK: Sendable, Hashable {
    package let publicKey: PublicKey
    package let keyID: String?
    /// `alg`: the only algorithm of the key, if stated.
    package let algorithm: String?
    /// Entra's `issuer` member: the only issuer (possibly with `{tenantid}`) that the key may sign for.
    package let issuer: String?

    package init(_ publicKey: PublicKey, keyID: String?, algorithm: String? = nil, issuer: String? = nil) {
        (self.publicKey, self.keyID, self.algorithm, self.issuer) = (publicKey, keyID, algorithm, issuer)
    }

    package enum Unusable: Error, Sendable, Equatable {
        case notAnObject
        /// `use` or `key_ops` state another purpose.
        case notForSignatures
        case unknownType(String?)
        case unknownCurve(String?)
        /// A member is missing, not base64url, or of the wrong length.
        case badMember(String)
        /// Less than 2048 bits (forbidden by RFC 7518 §3.3) or more than 16384.
        case keySize(bits: Int)
    }

    package init(_ value: JSONValue) throws(Unusable) {
        guard let members = value.object else { throw .notAnObject }
        if let use = members["use"], use != "sig" { throw .notForSignatures }
        if let operations = members["key_ops"], operations.array?.contains("verify") != true { throw .notForSignatures }
        switch members["kty"]?.string {
        case "RSA": publicKey = try Self.rsa(members)
        case "EC": publicKey = try Self.elliptic(members)
        case "OKP": publicKey = try Self.edwards(members)
        case let other: throw .unknownType(other)
        }
        keyID = members["kid"]?.string
        algorithm = members["alg"]?.string
        issuer = members["issuer"]?.string
    }

    private static func rsa(_ members: [String: JSONValue]) throws(Unusable) -> PublicKey {
        let modulus = Array(try bytes("n", of: members).drop { $0 == 0 })
        let exponent = Array(try bytes("e", of: members).drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard (2048...16384).contains(bits) else { throw .keySize(bits: bits) }
        // An even exponent or 1 is invalid; more than 64 bits only slow verification down.
        guard let last = exponent.last, last % 2 == 1, exponent != [1], exponent.count <= 8 else {
            throw .badMember("e")
        }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private static func elliptic(_ members: [String: JSONValue]) throws(Unusable) -> PublicKey {
        let name = members["crv"]?.string
        guard let name, let curve = EllipticCurve(rawValue: name) else { throw .unknownCurve(name) }
        let (x, y) = (try bytes("x", of: members), try bytes("y", of: members))
        guard x.count == curve.coordinateLength else { throw .badMember("x") }
        guard y.count == curve.coordinateLength else { throw .badMember("y") }
        return .elliptic(curve, x: x, y: y)
    }

    private static func edwards(_ members: [String: JSONValue]) throws(Unusable) -> PublicKey {
        guard members["crv"] == "Ed25519" else { throw .unknownCurve(members["crv"]?.string) }
        let x = try bytes("x", of: members)
        guard x.count == 32 else { throw .badMember("x") }
        return .ed25519(x)
    }

    private static func bytes(_ name: String, of members: [String: JSONValue]) throws(Unusable) -> [UInt8] {
        guard let text = members[name]?.string, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw .badMember(name)
        }
        return bytes
    }

    package var json: JSONValue {
        var members = publicKey.requiredMembers
        members["use"] = "sig"
        members["kid"] = keyID.map(JSONValue.string)
        members["alg"] = algorithm.map(JSONValue.string)
        members["issuer"] = issuer.map(JSONValue.string)
        return .object(members)
    }

    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        (self.algorithm ?? algorithm.rawValue) == algorithm.rawValue && algorithm.family == publicKey.family
    }
}

extension PublicKey {
    /// The required members of the key's JWK (RFC 7638 §3.2).
    package var requiredMembers: [String: JSONValue] {
        func encoded(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
        return switch self {
        case .rsa(let modulus, let exponent): ["kty": "RSA", "n": encoded(modulus), "e": encoded(exponent)]
        case .elliptic(let curve, let x, let y):
            ["kty": "EC", "crv": .string(curve.rawValue), "x": encoded(x), "y": encoded(y)]
        case .ed25519(let x): ["kty": "OKP", "crv": "Ed25519", "x": encoded(x)]
        }
    }

    /// Base64url of the SHA-256 of the required members in lexical order, without spaces (RFC 7638 §3).
    package var thumbprint: String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(requiredMembers).serialized.utf8)))
    }
}
