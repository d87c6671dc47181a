import Foundation

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 §5, RFC 7515 §2), by Foundation's Base64.
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        let standard = Data(bytes).base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: standard.map(exchanged), as: UTF8.self)
    }

    /// Returns `nil` unless the text is the exact encoding of some bytes: without padding, other characters or excess bits.
    /// Otherwise a signed text could be changed without changing its value.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        // The exact encoding has no `+` and `/`, so that exchanging them harms nothing.
        var standard = text.utf8.map(exchanged)
        standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        guard let bytes = Data(base64Encoded: Data(standard)).map(Array.init) else { return nil }
        return encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
    }

    /// From one alphabet to the other.
    private static func exchanged(_ character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: character
        }
    }
}
