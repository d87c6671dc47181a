extension JSONReader {
    /// The range of a string between the quotation marks.
    struct Literal {
        var range: Range<Int>
        var hasEscapes: Bool
    }

    mutating func string(isWanted: Bool) throws(Malformed) -> Literal {
        index += 1
        let start = index
        var hasEscapes = false
        passPlainText()
        while next == UInt8(ascii: "\\") {
            hasEscapes = true
            _ = try escape(isWanted: isWanted)
            passPlainText()
        }
        let limit = index
        try expect(UInt8(ascii: "\""), .character)
        return Literal(range: start..<limit, hasEscapes: hasEscapes)
    }

    private mutating func passPlainText() {
        let start = index
        index = bytes.withUnsafeBufferPointer { Self.plainTextLimit(in: $0, from: start) }
    }

    /// The place of the next quotation mark, backslash or control character.
    static func plainTextLimit(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        // Most strings are tokens: eight bytes at a time.
        while index + 8 <= bytes.count, let base = bytes.baseAddress,
            !hasSpecial(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
        { index += 8 }
        while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
            bytes[index] != UInt8(ascii: "\\")
        { index += 1 }
        return index
    }

    /// Whether one of eight bytes is below a space, a quotation mark or a backslash. Subtracting sets the high bit of the
    /// first such byte, and never without one.
    private static func hasSpecial(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = 0x8080_8080_8080_8080
        let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return
            (((bytes &- ones &* 0x20) & ~bytes) | ((quotes &- ones) & ~quotes)
            | ((backslashes &- ones) & ~backslashes)) & high != 0
    }

    /// - Parameter isWanted: `false` only checks its form, and accepts half of a surrogate pair.
    private mutating func escape(isWanted: Bool) throws(Malformed) -> Unicode.Scalar {
        index += 1
        guard let byte = next, let scalar = Self.escaped[byte] else { throw expected(.escape) }
        index += 1
        guard scalar == "u" else { return scalar }
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard isWanted else { return "\u{FFFD}" }
        guard first < 0xDC00, next == UInt8(ascii: "\\") else { throw expected(.wholeSurrogatePair) }
        index += 1
        try expect(UInt8(ascii: "u"), .fourHexadecimalDigits)
        let second = try unit()
        let pair = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        guard second & 0xFC00 == 0xDC00, let pair else { throw expected(.wholeSurrogatePair) }
        return pair
    }

    /// The characters by the letter after a backslash; `u` is followed by a UTF-16 unit.
    private static let escaped: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        UInt8(ascii: "u"): "u",
    ]

    private mutating func unit() throws(Malformed) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw expected(.fourHexadecimalDigits) }
        index += 4
        return unit
    }

    func unescaped(_ literal: Literal) throws(Malformed) -> String {
        guard literal.hasEscapes else {
            // Ten times faster than decoding a slice.
            return bytes.withUnsafeBufferPointer { bytes in
                String(decoding: UnsafeBufferPointer(rebasing: bytes[literal.range]), as: UTF8.self)
            }
        }
        var reader = JSONReader(bytes, from: literal.range.lowerBound)
        var text = ""
        while reader.index < literal.range.upperBound {
            let start = reader.index
            reader.passPlainText()
            text += String(decoding: bytes[start..<reader.index], as: UTF8.self)
            if reader.index < literal.range.upperBound { text.unicodeScalars.append(try reader.escape(isWanted: true)) }
        }
        return text
    }
}
