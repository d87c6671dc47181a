import Foundation

/// The source of randomness for `state`, `nonce` and the PKCE verifier.
package protocol RandomBytes: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomBytes {
    /// A random UUID (RFC 9562 §5.4).
    func uuid() -> UUID {
        var b = bytes(16)
        b[6] = b[6] & 0x0F | 0x40
        b[8] = b[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
