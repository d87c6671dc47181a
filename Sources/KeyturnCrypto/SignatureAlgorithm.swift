/// The signature algorithms of JWS (RFC 7518 §3.1, RFC 8037 §3.1), except `none` and those with shared secrets.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case eddsa = "EdDSA"

    /// The kind of key that an algorithm needs. Compared with the key, so that a token's header can't choose.
    enum Family: Equatable {
        case rsa
        case elliptic(EllipticCurve)
        case ed25519
    }

    var family: Family {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .elliptic(.p256)
        case .es384: .elliptic(.p384)
        case .es512: .elliptic(.p521)
        case .eddsa: .ed25519
        }
    }

    /// The digest size in bits, with which its name ends, or 0 when the algorithm hashes by itself.
    var digestBits: Int32 { Int32(rawValue.suffix(3)) ?? 0 }

    var isPSS: Bool { rawValue.hasPrefix("PS") }
}
