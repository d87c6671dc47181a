import Foundation
import OAuthCore

extension FuzzTarget {
    /// What every message and token is made of. Two readers take it apart, and they must agree; what is written is
    /// read as the same again.
    static let json = FuzzTarget("json") { bytes in
        // What is allowed to stand before the text.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let strict = try? JSONReader.members(of: bytes)
        guard let value = try? JSONValue(parsing: bytes) else { return .refused }
        let text = value.serialized
        try requireEqual(try? JSONValue(parsing: text), value, "what was written, read again")
        try requireEqual(try? JSONValue(parsing: value.prettyPrinted), value, "what was indented, read again")
        try require(String(validating: bytes, as: UTF8.self) != nil, "JSON that is not UTF-8 was read")
        guard let object = value.object, !JSONValue.hasRepeatedMembers(bytes) else { return .accepted }
        let members = try unwrap(strict, "the strict reader refuses what the other takes")
        try requireEqual(Set(members.map(\.name)), Set(object.keys), "the names that the strict reader finds")
        for member in members {
            let again = try? JSONReader.value(of: bytes, in: member.value)
            try require(again.map { same($0, object[member.name] ?? .null) } == true, "the readers differ over a value")
        }
        return .accepted
    }

    /// Whole numbers may be written with a fraction, which one of the readers keeps.
    private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy(same)
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { same(value, $0) } ?? false }
        case (.integer, .number), (.number, .integer), (.number, .number): left.double == right.double
        default: left == right
        }
    }
}
