import CCrypto

/// A public key in the form of a JWK: unsigned numbers, most significant byte first.
package enum PublicKey: Sendable, Hashable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case elliptic(EllipticCurve, x: [UInt8], y: [UInt8])
    case ed25519([UInt8])

    /// Returns `false` also for an invalid key, an RSA key under 2048 bits (RFC 7518 §3.3), and an algorithm for another kind of
    /// key.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        guard algorithm.family == family, let key = makeKey() else { return false }
        defer { keyturn_key_free(key) }
        return keyturn_verify(
            key, algorithm.digestBits, algorithm.isPSS ? 1 : 0, signature, signature.count, message, message.count) == 1
    }

    package var family: SignatureAlgorithm.Family {
        switch self {
        case .rsa: .rsa
        case .elliptic(let curve, _, _): .elliptic(curve)
        case .ed25519: .ed25519
        }
    }

    private func makeKey() -> OpaquePointer? {
        switch self {
        case .rsa(let modulus, let exponent):
            let significant = modulus.drop { $0 == 0 }
            guard let first = significant.first, significant.count * 8 - first.leadingZeroBitCount >= 2048 else {
                return nil
            }
            return keyturn_key_rsa_public(modulus, modulus.count, exponent, exponent.count)
        case .elliptic(let curve, let x, let y):
            guard x.count == curve.coordinateLength, y.count == curve.coordinateLength else { return nil }
            let point = [4] + x + y
            return keyturn_key_elliptic_public(curve.bits, point, point.count)
        case .ed25519(let bytes):
            return keyturn_key_ed25519_public(bytes, bytes.count)
        }
    }
}

/// The NIST curves, by JOSE name (RFC 7518 §6.2.1.1).
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size of the field, with which its name ends.
    var bits: Int32 { Int32(rawValue.suffix(3)) ?? 0 }

    /// The size of a coordinate in bytes (RFC 7518 §6.2.1.2).
    package var coordinateLength: Int { (Int(bits) + 7) / 8 }
}

/// The signature algorithms of JWS (RFC 7518 §3.1, RFC 8037 §3.1), except `none` and those with shared secrets.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
    case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
    case es256 = "ES256", es384 = "ES384", es512 = "ES512"
    case eddsa = "EdDSA"

    /// The kind of key that an algorithm needs. Compared with the key, so that a token's header can't choose.
    package enum Family: Equatable {
        case rsa
        case elliptic(EllipticCurve)
        case ed25519
    }

    package var family: Family {
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
