/// The NIST curves, by JOSE name (RFC 7518 §6.2.1.1).
package enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    var bits: Int32 {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The size of a coordinate in bytes (RFC 7518 §6.2.1.2).
    package var coordinateLength: Int { (Int(bits) + 7) / 8 }
}
