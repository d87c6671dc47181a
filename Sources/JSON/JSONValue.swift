import Foundation

/// A JSON value (RFC 8259). Integers keep up to 38 digits.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer beyond 64 bits.
    indirect case large(Decimal)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(parsing bytes: [UInt8]) throws(Malformed) { self = try JSONReader.read(bytes).value }

    package init(parsing text: String) throws(Malformed) { try self.init(parsing: Array(text.utf8)) }

    /// Finds out whether any object repeats a member. RFC 8259 §4 leaves open which one counts, so signed texts must not
    /// (RFC 7515 §4).
    package static func read(_ bytes: [UInt8]) throws(Malformed) -> (value: JSONValue, hasRepeatedMembers: Bool) {
        try JSONReader.read(bytes)
    }

    /// Contains nothing of the data, which may be secret.
    package struct Malformed: Error, Equatable {
        /// In bytes.
        package var offset: Int
        package var expected: Expectation
    }

    package enum Expectation: Sendable, Equatable {
        case utf8
        case value
        case name
        case colon(afterNameAt: Int)
        /// A comma, or this bracket.
        case comma(orClosing: UInt8)
        /// A value or member after a comma.
        case noClosingAfterComma
        case end
        case shallowerNesting
        /// A character of a string, or its end.
        case character
        case escape
        case fourHexadecimalDigits
        case wholeSurrogatePair
    }
}

extension JSONValue {
    package subscript(member: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[member]
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The text, or `nil` if it is blank.
    package var visibleText: String? { string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    package var integer: Int? {
        if case .integer(let value) = self { Int(value) } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var object: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// An array of strings only.
    package var strings: [String]? { elements(\.string) }

    package var integers: [Int]? { elements(\.integer) }

    package func elements<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
        guard let array else { return nil }
        let elements = array.compactMap(read)
        return elements.count == array.count ? elements : nil
    }

    /// A number, or a decimal string with a number, as in token responses and caches.
    package var double: Double? {
        guard case .string(let text) = self else { return number }
        // Fast path for times: digits without a leading zero.
        if let first = text.utf8.first, (0x31...0x39).contains(first), let integer = Int(text) {
            return Double(integer)
        }
        return (try? JSONValue(parsing: text))?.number
    }

    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .large(let value): NSDecimalNumber(decimal: value).doubleValue
        case .number(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

// Files that this program writes and reads back.
extension JSONValue {
    /// A member is missing, unknown or has another type.
    package struct UnexpectedMember: Error {
        package init() {}
    }

    package func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(UnexpectedMember) -> Value {
        guard let value = self[name].flatMap(read) else { throw UnexpectedMember() }
        return value
    }

    /// `nil` if the member is missing or null.
    package func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(UnexpectedMember) -> Value? {
        self[name] == nil || self[name] == .null ? nil : try required(name, read)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue {
    /// Creates an object of the members that have a value.
    package init(members: KeyValuePairs<String, JSONValue?>) {
        var object = [String: JSONValue](minimumCapacity: members.count)
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }

    package init(_ number: Int) { self = .integer(Int64(number)) }

    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }
}
