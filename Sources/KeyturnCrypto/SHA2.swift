import CCrypto

/// The SHA-2 hashes (FIPS 180-4).
package enum SHA2 {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, bits: 256) }
    package static func sha384(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, bits: 384) }
    package static func sha512(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, bits: 512) }

    private static func hash(_ bytes: [UInt8], bits: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(bits) / 8) { out, count in
            keyturn_sha2(bits, bytes, bytes.count, out.baseAddress)
            count = Int(bits) / 8
        }
    }
}

extension Sequence<UInt8> {
    /// In lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Different lengths return early.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && keyturn_equal(left, right, left.count) == 1
}
