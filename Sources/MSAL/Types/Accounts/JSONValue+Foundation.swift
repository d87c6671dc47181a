import Foundation
import OAuthCore

extension JSONValue {
    /// The value as Apple's API represents it: `String`, `NSNumber`, `[Any]`, `[String: Any]` or `NSNull`.
    package var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .large(let value): NSDecimalNumber(decimal: value)
        case .number(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let values): values.map(\.foundationObject)
        case .object(let members): members.mapValues(\.foundationObject)
        }
    }

    /// `nil` for a type that JSON lacks, or for nesting beyond the limit of the JSON reader.
    package init?(foundationObject object: Any) {
        // In an array, because `JSONSerialization` rejects top-level fragments by default.
        guard Self.isNested(object, atMost: JSONReader.deepest), JSONSerialization.isValidJSONObject([object]),
            let data = try? JSONSerialization.data(withJSONObject: [object]),
            let value = (try? JSONValue(parsing: Array(data)))?.array?.first
        else { return nil }
        self = value
    }

    /// Checks the nesting first, because `isValidJSONObject` recurses without limit and overflows the stack.
    private static func isNested(_ object: Any, atMost depth: Int) -> Bool {
        let parts: [Any]
        switch object {
        case let list as [Any]: parts = list
        case let members as [AnyHashable: Any]: parts = Array(members.values)
        default: return true
        }
        return depth > 0 && parts.allSatisfy { isNested($0, atMost: depth - 1) }
    }
}
