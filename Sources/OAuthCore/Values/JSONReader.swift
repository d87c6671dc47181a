import Foundation

/// A strict parser for JSON (RFC 8259), which can return the byte range of each part.
///
/// Foundation's parser accepts trailing commas and other encodings. This library uses one parser for everything,
/// because a check with one parser says nothing about another. It also serves documents that are changed in part, where
/// the rest must keep its bytes. The last of several members with one name counts, as in other programs that share such
/// files.
package struct JSONReader {
    private let bytes: [UInt8]
    private var index: Int
    private var depth = 0
    private var hasRepeatedMembers = false

    /// The maximum depth: more than any real document, and safe for the stack.
    package static let deepest = 128

    /// A member of an object, with the range of its value.
    package struct Member: Equatable {
        package var name: String
        package var value: Range<Int>
    }

    private init(_ bytes: [UInt8], from index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    /// Parses a JSON text in UTF-8, and finds out whether any object repeats a member. Skips a byte order mark (RFC
    /// 8259 §8.1).
    static func read(
        _ bytes: [UInt8]
    ) throws(JSONValue.Malformed) -> (value: JSONValue, hasRepeatedMembers: Bool) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw JSONValue.Malformed() }
        var reader = JSONReader(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw JSONValue.Malformed() }
        return (value, reader.hasRepeatedMembers)
    }

    /// Returns the members of an object in order. Checks the whole text.
    package static func members(of bytes: [UInt8]) throws(JSONValue.Malformed) -> [Member] {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw JSONValue.Malformed() }
        var reader = JSONReader(bytes)
        reader.skipSpace()
        let members = try reader.members()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw JSONValue.Malformed() }
        return members
    }

    /// Returns the members of an object inside a checked text.
    package static func members(of bytes: [UInt8], in range: Range<Int>) throws(JSONValue.Malformed) -> [Member] {
        var reader = JSONReader(bytes, from: range.lowerBound)
        return try reader.members()
    }

    /// Returns the elements of an array up to the first malformed one, for a text that may be cut off.
    package static func leadingElements(
        of bytes: [UInt8], from start: Int
    ) -> (elements: [Range<Int>], isComplete: Bool) {
        var reader = JSONReader(bytes, from: start)
        var elements: [Range<Int>] = []
        do throws(JSONValue.Malformed) {
            try reader.list(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader throws(JSONValue.Malformed) in
                let start = reader.index
                _ = try reader.value(isWanted: false)
                elements.append(start..<reader.index)
            }
        } catch {
            return (elements, false)
        }
        return (elements, true)
    }

    /// Returns a value inside a checked text.
    package static func value(of bytes: [UInt8], in range: Range<Int>) throws(JSONValue.Malformed) -> JSONValue {
        var reader = JSONReader(bytes, from: range.lowerBound)
        return try reader.value()
    }
}

extension JSONReader {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func expect(_ byte: UInt8) throws(JSONValue.Malformed) {
        guard next == byte else { throw JSONValue.Malformed() }
        index += 1
    }

    private mutating func value() throws(JSONValue.Malformed) -> JSONValue { try value(isWanted: true) }

    /// Parses a value.
    ///
    /// - Parameter isWanted: `false` only checks the value and returns `null`.
    private mutating func value(isWanted: Bool) throws(JSONValue.Malformed) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return try object(isWanted: isWanted)
        case UInt8(ascii: "["): return try array(isWanted: isWanted)
        case UInt8(ascii: "\""):
            let literal = try string()
            return isWanted ? .string(try unescaped(literal)) : .null
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number(isWanted: isWanted)
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONValue.Malformed) -> JSONValue {
        for byte in word.utf8 { try expect(byte) }
        return value
    }

    private mutating func object(isWanted: Bool) throws(JSONValue.Malformed) -> JSONValue {
        guard isWanted else {
            // Don't create strings for names that aren't used.
            try list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(JSONValue.Malformed) in
                _ = try reader.name()
                _ = try reader.value(isWanted: false)
            }
            return .null
        }
        // Credentials have about this many members.
        var values = [String: JSONValue](minimumCapacity: 12)
        try eachMember { (reader, name) throws(JSONValue.Malformed) in
            if values.updateValue(try reader.value(), forKey: name) != nil { reader.hasRepeatedMembers = true }
        }
        return .object(values)
    }

    private mutating func members() throws(JSONValue.Malformed) -> [Member] {
        var members: [Member] = []
        try eachMember { (reader, name) throws(JSONValue.Malformed) in
            let start = reader.index
            _ = try reader.value(isWanted: false)
            members.append(Member(name: name, value: start..<reader.index))
        }
        return members
    }

    /// Parses an object and calls `value` for each member.
    private mutating func eachMember(
        _ value: (inout JSONReader, _ name: String) throws(JSONValue.Malformed) -> Void
    ) throws(JSONValue.Malformed) {
        try list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(JSONValue.Malformed) in
            let name = try reader.unescaped(try reader.name())
            try value(&reader, name)
        }
    }

    /// Parses a member's name up to the value. Returns its bytes.
    private mutating func name() throws(JSONValue.Malformed) -> Literal {
        guard next == UInt8(ascii: "\"") else { throw JSONValue.Malformed() }
        let literal = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"))
        skipSpace()
        return literal
    }

    private mutating func array(isWanted: Bool) throws(JSONValue.Malformed) -> JSONValue {
        var values: [JSONValue] = []
        try list(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader throws(JSONValue.Malformed) in
            let value = try reader.value(isWanted: isWanted)
            if isWanted { values.append(value) }
        }
        return isWanted ? .array(values) : .null
    }

    private mutating func list(
        from open: UInt8, to close: UInt8, element: (inout JSONReader) throws(JSONValue.Malformed) -> Void
    ) throws(JSONValue.Malformed) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw JSONValue.Malformed() }
        try expect(open)
        skipSpace()
        if next == close {
            index += 1
            return
        }
        while true {
            skipSpace()
            try element(&self)
            skipSpace()
            if next == close { break }
            try expect(UInt8(ascii: ","))
        }
        index += 1
    }

    /// The range of a string between the quotation marks.
    private struct Literal {
        var range: Range<Int>
        var hasEscapes: Bool
    }

    private mutating func string() throws(JSONValue.Malformed) -> Literal {
        index += 1
        let start = index
        var hasEscapes = false
        passPlainText()
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else { throw JSONValue.Malformed() }
            hasEscapes = true
            index += 1
            try passEscape()
            passPlainText()
        }
        let end = index
        try expect(UInt8(ascii: "\""))
        return Literal(range: start..<end, hasEscapes: hasEscapes)
    }

    /// Skips to a quotation mark, an escape or an invalid character.
    private mutating func passPlainText() {
        let start = index
        index = bytes.withUnsafeBufferPointer { bytes in
            var index = start
            // Most strings are tokens: eight bytes at a time.
            while index + 8 <= bytes.count,
                let base = bytes.baseAddress,
                !Self.hasSpecial(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            { index += 8 }
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                bytes[index] != UInt8(ascii: "\\")
            { index += 1 }
            return index
        }
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

    private mutating func passEscape() throws(JSONValue.Malformed) {
        guard let byte = next else { throw JSONValue.Malformed() }
        index += 1
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": return
        case "u":
            guard index + 4 <= bytes.count,
                bytes[index..<index + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
            else { throw JSONValue.Malformed() }
            index += 4
        default: throw JSONValue.Malformed()
        }
    }

    private func unescaped(_ literal: Literal) throws(JSONValue.Malformed) -> String {
        guard literal.hasEscapes else {
            // Ten times faster than decoding a slice.
            return bytes.withUnsafeBufferPointer { bytes in
                String(decoding: UnsafeBufferPointer(rebasing: bytes[literal.range]), as: UTF8.self)
            }
        }
        // Escapes are rare, so Foundation decodes them.
        let quoted = [UInt8(ascii: "\"")] + bytes[literal.range] + [UInt8(ascii: "\"")]
        do { return try JSONDecoder().decode(String.self, from: Data(quoted)) } catch { throw JSONValue.Malformed() }
    }

    private mutating func number(isWanted: Bool) throws(JSONValue.Malformed) -> JSONValue {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { throw JSONValue.Malformed() }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            guard digits() > 0 else { throw JSONValue.Malformed() }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw JSONValue.Malformed() }
        }
        // A number that isn't used may have any size.
        guard isWanted else { return .null }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        if isInteger, whole <= 38, let large = Decimal(string: text) { return .large(large) }
        guard let number = Double(text), number.isFinite else { throw JSONValue.Malformed() }
        // Integers may have a fraction or exponent. Beyond this limit a Double loses digits.
        guard number.magnitude <= 0x1p53, let integer = Int64(exactly: number) else { return .number(number) }
        return .integer(integer)
    }

    /// Skips digits and returns their number.
    private mutating func digits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }
}
