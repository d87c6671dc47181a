import Foundation
import OAuthCore

extension FuzzTarget {
    /// The format of messages and tokens. Foundation's reader accepts the same texts with the same values; encoding and
    /// decoding returns the same value.
    static let json = FuzzTarget("json") { bytes in
        guard let (value, hasRepeatedMembers) = try? JSONValue.read(bytes) else { return .rejected }
        try requireEqual(try? JSONValue(parsing: value.serialized), value, "the encoded value, decoded again")
        try requireEqual(try? JSONValue(parsing: value.prettyPrinted), value, "the indented value, decoded again")
        try require(String(validating: bytes, as: UTF8.self) != nil, "JSON that is not UTF-8 was read")
        // Readers may differ on which of two members with one name counts.
        guard !hasRepeatedMembers else { return .accepted }
        let other = try unwrap(
            try? JSONDecoder().decode(FoundationJSON.self, from: Data(bytes)), "Foundation refuses what was read")
        try require(same(value, other.value), "Foundation reads another value")
        if let object = value.object {
            // Text before the document is not part of a change.
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            let members = try unwrap(try? JSONReader.members(of: text), "the members of what was read")
            let found = try members.map { ($0.name, try JSONReader.value(of: text, in: $0.value)) }
            try requireEqual(Dictionary(uniqueKeysWithValues: found), object, "the members")
        }
        return .accepted
    }

    /// Whole numbers written with a fraction stay so here when they exceed the digits of a Double.
    private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy(same)
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { same(value, $0) } ?? false }
        // Foundation reads a number beyond 2^53 with a fraction as an integer, and drops the fraction.
        case (.number(let left), .integer(let right)):
            left.magnitude > 0x1p53 && (left - Double(right)).magnitude <= left.ulp
        // Foundation's Int64 has a smaller range, and its Double has fewer digits.
        case (.large(let left), .number(let right)):
            (NSDecimalNumber(decimal: left).doubleValue - right).magnitude <= right.ulp
        default: left == right
        }
    }
}

/// JSON as Foundation reads it.
private struct FoundationJSON: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let truth = try? container.decode(Bool.self) {
            value = .bool(truth)
        } else if let integer = try? container.decode(Int64.self) {
            value = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let members = try? container.decode([String: FoundationJSON].self) {
            value = .object(members.mapValues(\.value))
        } else {
            value = .array(try container.decode([FoundationJSON].self).map(\.value))
        }
    }
}
