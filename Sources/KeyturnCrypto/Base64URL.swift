import Foundation

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 §5, RFC 7515 §2), by Foundation's Base64.
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        let standard = Data(bytes).base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: standard.map { replaced($0, "+", by: "-", "/", by: "_") }, as: UTF8.self)
    }

    /// Decodes text. Returns `nil` unless it is the exact encoding of some bytes: without padding, other characters or
    /// excess bits. Otherwise a signed text could be changed without changing its value.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var standard = text.utf8.map { replaced($0, "-", by: "+", "_", by: "/") }
        standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        guard let bytes = Data(base64Encoded: Data(standard)).map(Array.init) else { return nil }
        return encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
    }

    private static func replaced(
        _ character: UInt8, _ first: Unicode.Scalar, by other: Unicode.Scalar, _ second: Unicode.Scalar,
        by another: Unicode.Scalar
    ) -> UInt8 {
        switch character {
        case UInt8(ascii: first): UInt8(ascii: other)
        case UInt8(ascii: second): UInt8(ascii: another)
        default: character
        }
    }
}
