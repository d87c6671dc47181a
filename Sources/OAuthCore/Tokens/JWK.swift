import KeyturnCrypto

/// A public signing key of an authority (RFC 7517, RFC 7518 §6, RFC 8037 §2).
package struct JWK: Sendable, Hashable {
    package let publicKey: PublicKey
    package let keyID: String?
    /// `alg`: the only algorithm of the key, if stated.
    package let algorithm: String?
    /// Entra's `issuer` member: the only issuer (possibly with `{tenantid}`) that the key may sign for.
    package let issuer: String?

    package init(_ publicKey: PublicKey, keyID: String?, algorithm: String? = nil, issuer: String? = nil) {
        self.publicKey = publicKey
        self.keyID = keyID
        self.algorithm = algorithm
        self.issuer = issuer
    }

    /// The reason why a member of a key set can't verify signatures.
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
        let x = try bytes("x", of: members)
        let y = try bytes("y", of: members)
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

    /// The key as a member of a key set.
    package var json: JSONValue {
        var members: [String: JSONValue] = ["use": "sig"]
        members["kid"] = keyID.map(JSONValue.string)
        members["alg"] = algorithm.map(JSONValue.string)
        members["issuer"] = issuer.map(JSONValue.string)
        switch publicKey {
        case .rsa(let modulus, let exponent):
            members["kty"] = "RSA"
            members["n"] = .string(Base64URL.encode(modulus))
            members["e"] = .string(Base64URL.encode(exponent))
        case .elliptic(let curve, let x, let y):
            members["kty"] = "EC"
            members["crv"] = .string(curve.rawValue)
            members["x"] = .string(Base64URL.encode(x))
            members["y"] = .string(Base64URL.encode(y))
        case .ed25519(let x):
            members["kty"] = "OKP"
            members["crv"] = "Ed25519"
            members["x"] = .string(Base64URL.encode(x))
        }
        return .object(members)
    }

    /// Whether the key can verify signatures with an algorithm.
    package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        if let stated = self.algorithm, stated != algorithm.rawValue { return false }
        return switch publicKey {
        case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(algorithm)
        case .elliptic(.p256, _, _): algorithm == .es256
        case .elliptic(.p384, _, _): algorithm == .es384
        case .elliptic(.p521, _, _): algorithm == .es512
        case .ed25519: algorithm == .eddsa
        }
    }
}

extension PublicKey {
    /// The required members of the key's JWK (RFC 7638 §3.2).
    package var requiredMembers: [String: JSONValue] {
        var members = JWK(self, keyID: nil).json.object ?? [:]
        members["use"] = nil
        return members
    }

    /// Base64url of the SHA-256 of the required members in lexical order, without spaces (RFC 7638 §3).
    package var thumbprint: String {
        Base64URL.encode(SHA2.sha256(Array(JSONValue.object(requiredMembers).serialized.utf8)))
    }
}
