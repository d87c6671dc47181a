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

    /// Parses a JSON text. Throws ``JSONValue/Malformed`` for anything else.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        self = try JSONReader.read(bytes).value
    }

    /// Parses a JSON text, and finds out whether any object repeats a member. RFC 8259 §4 leaves open which one counts,
    /// so signed texts must not (RFC 7515 §4).
    package static func read(_ bytes: [UInt8]) throws(Malformed) -> (value: JSONValue, hasRepeatedMembers: Bool) {
        try JSONReader.read(bytes)
    }

    package init(parsing text: String) throws(Malformed) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The data isn't a JSON text. Contains nothing of the data, which may be secret.
    package struct Malformed: Error, Equatable {
        package init() {}
    }

    /// Compact JSON with sorted members, so that equal values have equal bytes.
    package var serialized: String { text(formatting: [.sortedKeys, .withoutEscapingSlashes]) }

    /// Indented JSON with sorted members, for display.
    package var prettyPrinted: String {
        text(formatting: [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    private func text(formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        // Encoding plain values can't fail.
        guard let data = try? encoder.encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension JSONValue {
    package subscript(member: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[member]
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The text, or `nil` if it is blank.
    package var visibleText: String? { string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var object: [String: JSONValue]? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    package var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
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

    private var number: Double? {
        switch self {
        case .integer(let value): return Double(value)
        case .large(let value): return NSDecimalNumber(decimal: value).doubleValue
        case .number(let value): return value
        case .null, .bool, .string, .array, .object: return nil
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .large(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension [String: JSONValue] {
    /// Returns the text of a member, or `nil` when it is missing or null. Throws for another type.
    func text<Failure: Error>(_ name: String, otherwise failure: Failure) throws(Failure) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string else { throw failure }
        return text
    }
}
