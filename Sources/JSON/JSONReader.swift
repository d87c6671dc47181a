import Foundation

/// A strict parser for JSON (RFC 8259), which can return the byte range of each part.
///
/// Foundation's parser accepts trailing commas and other encodings. The library and the program use this one for
/// everything, because a check with one parser says nothing about another. It also serves documents that are changed in
/// part, where the rest must keep its bytes. The last of several members with one name counts, as in other programs that
/// share such files.
package struct JSONReader {
    package typealias Malformed = JSONValue.Malformed

    let bytes: [UInt8]
    var index: Int
    private var depth = 0
    private let deepest: Int
    private var hasRepeatedMembers = false

    /// The maximum depth: more than any real document, and safe for the stack.
    package static let deepest = 128

    package struct Member: Equatable {
        package var name: String
        package var value: Range<Int>
    }

    init(_ bytes: [UInt8], from index: Int = 0, deepest: Int = deepest) {
        (self.bytes, self.index, self.deepest) = (bytes, index, deepest)
    }

    /// Skips a byte order mark (RFC 8259 §8.1).
    static func read(_ bytes: [UInt8]) throws(Malformed) -> (value: JSONValue, hasRepeatedMembers: Bool) {
        var reader = JSONReader(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let value = try reader.whole { reader throws(Malformed) in try reader.value() }
        return (value, reader.hasRepeatedMembers)
    }

    /// Rejects a byte order mark.
    package static func locate(_ bytes: [UInt8], deepest: Int = deepest) throws(Malformed) -> LocatedJSON {
        var reader = JSONReader(bytes, deepest: deepest)
        return try reader.whole { reader throws(Malformed) in try reader.located() }
    }

    /// In order. Checks the whole text.
    package static func members(of bytes: [UInt8]) throws(Malformed) -> [Member] {
        var reader = JSONReader(bytes)
        return try reader.whole { reader throws(Malformed) in try reader.members() }
    }

    /// Of an object inside a checked text.
    package static func members(of bytes: [UInt8], in range: Range<Int>) throws(Malformed) -> [Member] {
        var reader = JSONReader(bytes, from: range.lowerBound)
        return try reader.members()
    }

    /// Returns the elements of an array up to the first malformed one, for a text that may be cut off.
    package static func leadingElements(
        of bytes: [UInt8], from start: Int
    ) -> (elements: [Range<Int>], isComplete: Bool) {
        var reader = JSONReader(bytes, from: start)
        var elements: [Range<Int>] = []
        let isComplete: ()? = try? reader.list(from: "[", to: "]") { reader throws(Malformed) in
            elements.append(try reader.skippedValue())
        }
        return (elements, isComplete != nil)
    }

    /// Of a checked text.
    package static func value(of bytes: [UInt8], in range: Range<Int>) throws(Malformed) -> JSONValue {
        var reader = JSONReader(bytes, from: range.lowerBound)
        return try reader.value()
    }
}

extension UInt8 {
    package var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension JSONReader {
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func expected(_ expectation: JSONValue.Expectation) -> Malformed { Malformed(offset: index, expected: expectation) }

    private mutating func whole<Result>(
        _ content: (inout JSONReader) throws(Malformed) -> Result
    ) throws(Malformed) -> Result {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw expected(.utf8) }
        skipSpace()
        let result = try content(&self)
        skipSpace()
        guard index == bytes.count else { throw expected(.end) }
        return result
    }

    private mutating func skipSpace() {
        while next?.isJSONSpace == true { index += 1 }
    }

    mutating func expect(_ byte: UInt8, _ expectation: @autoclosure () -> JSONValue.Expectation) throws(Malformed) {
        guard next == byte else { throw expected(expectation()) }
        index += 1
    }

    private mutating func skippedValue() throws(Malformed) -> Range<Int> {
        let start = index
        _ = try value(isWanted: false)
        return start..<index
    }

    /// - Parameter isWanted: `false` only checks the value and returns `null`.
    private mutating func value(isWanted: Bool = true) throws(Malformed) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return try object(isWanted: isWanted)
        case UInt8(ascii: "["): return try array(isWanted: isWanted)
        case UInt8(ascii: "\""):
            let literal = try string(isWanted: isWanted)
            return isWanted ? .string(try unescaped(literal)) : .null
        case _: return try word(isWanted: isWanted)
        }
    }

    /// Parses a number, `true`, `false` or `null`.
    mutating func word(isWanted: Bool) throws(Malformed) -> JSONValue {
        let start = index
        let value =
            switch next {
            case UInt8(ascii: "t"): word("true", .bool(true))
            case UInt8(ascii: "f"): word("false", .bool(false))
            case UInt8(ascii: "n"): word("null", .null)
            default: number(isWanted: isWanted)
            }
        guard let value, !(next.map(Self.isInWord) ?? false) else {
            index = start
            throw expected(.value)
        }
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let limit = index + word.utf8CodeUnitCount
        guard limit <= bytes.count,
            bytes[index..<limit].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: limit - index))
        else { return nil }
        index = limit
        return value
    }

    /// Of a number, or of a word without quotation marks.
    package static func isInWord(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
        default: false
        }
    }

    private mutating func object(isWanted: Bool) throws(Malformed) -> JSONValue {
        guard isWanted else {
            // Don't create strings for names that aren't used.
            try list(from: "{", to: "}") { reader throws(Malformed) in
                _ = try reader.name(isWanted: false)
                _ = try reader.value(isWanted: false)
            }
            return .null
        }
        // Credentials have about this many members.
        var values = [String: JSONValue](minimumCapacity: 12)
        try eachMember { (reader, name, _) throws(Malformed) in
            if values.updateValue(try reader.value(), forKey: name) != nil { reader.hasRepeatedMembers = true }
        }
        return .object(values)
    }

    private mutating func members() throws(Malformed) -> [Member] {
        var members: [Member] = []
        try eachMember { (reader, name, _) throws(Malformed) in
            members.append(Member(name: name, value: try reader.skippedValue()))
        }
        return members
    }

    mutating func eachMember(
        _ value: (inout JSONReader, _ name: String, _ offset: Int) throws(Malformed) -> Void
    ) throws(Malformed) {
        try list(from: "{", to: "}") { reader throws(Malformed) in
            let offset = reader.index
            try value(&reader, try reader.unescaped(try reader.name(isWanted: true)), offset)
        }
    }

    /// Parses a member's name up to the value.
    private mutating func name(isWanted: Bool) throws(Malformed) -> Literal {
        let start = index
        guard next == UInt8(ascii: "\"") else { throw expected(.name) }
        let literal = try string(isWanted: isWanted)
        skipSpace()
        try expect(UInt8(ascii: ":"), .colon(afterNameAt: start))
        skipSpace()
        return literal
    }

    private mutating func array(isWanted: Bool) throws(Malformed) -> JSONValue {
        var values: [JSONValue] = []
        try list(from: "[", to: "]") { reader throws(Malformed) in
            let value = try reader.value(isWanted: isWanted)
            if isWanted { values.append(value) }
        }
        return isWanted ? .array(values) : .null
    }

    mutating func list(
        from open: Unicode.Scalar, to end: Unicode.Scalar, element: (inout JSONReader) throws(Malformed) -> Void
    ) throws(Malformed) {
        let close = UInt8(ascii: end)
        depth += 1
        defer { depth -= 1 }
        guard depth <= deepest else { throw expected(.shallowerNesting) }
        try expect(UInt8(ascii: open), .value)
        skipSpace()
        if next == close {
            index += 1
            return
        }
        while true {
            try element(&self)
            skipSpace()
            if next == close { break }
            try expect(UInt8(ascii: ","), .comma(orClosing: close))
            skipSpace()
            if next == close { throw expected(.noClosingAfterComma) }
        }
        index += 1
    }

    private mutating func number(isWanted: Bool) -> JSONValue? {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { return nil }
        let end = index
        if next == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { return nil }
        }
        // A number that isn't used may have any size.
        guard isWanted else { return .null }
        let isInteger = index == end
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        if isInteger, whole <= 38, let large = Decimal(string: text) { return .large(large) }
        guard let parsed = Double(text) else { return nil }
        // JSON has no largest number (RFC 8259 §6). One that doesn't fit must not make the whole text unreadable.
        let number = min(max(parsed, -Double.greatestFiniteMagnitude), .greatestFiniteMagnitude)
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
