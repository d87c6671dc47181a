import Foundation

/// JSON (RFC 8259) with line numbers, for errors.
package struct LocatedJSON: Sendable, Equatable {
    package var line: Int
    package var content: Content

    package indirect enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([LocatedJSON])
        case object([Member])
    }

    package struct Member: Sendable, Equatable {
        package var key: String
        /// The line of the key.
        package var line: Int
        package var value: LocatedJSON
    }

    /// The place of invalid JSON, with the fix.
    package struct Malformed: Error, Sendable, Equatable {
        package var line: Int
        package var column: Int
        package var problem: String
        package var remedy: String
    }

    package init(line: Int, content: Content) {
        self.line = line
        self.content = content
    }

    package init(parsing text: String) throws(Malformed) {
        var reader = LocatedJSONReader(text)
        self = try reader.document()
    }

    /// The kind of value, for errors.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// Formatted JSON: one member per line, arrays of simple values on one line.
extension LocatedJSON {
    /// The text with a line end.
    var text: String { content.text(indent: "") + "\n" }
}

extension LocatedJSON.Content {
    fileprivate func text(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return Self.quote(text)
        case .array(let elements) where elements.allSatisfy(\.content.isWord):
            return "[" + elements.map { $0.content.text(indent: "") }.joined(separator: ", ") + "]"
        case .array(let elements):
            let lines = elements.map { deeper + $0.content.text(indent: deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let lines = members.map { "\(deeper)\(Self.quote($0.key)): \($0.value.content.text(indent: deeper))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    /// Whether the value is simple.
    private var isWord: Bool {
        switch self {
        case .array, .object: false
        case .null, .bool, .number, .string: true
        }
    }

    /// Escapes quotes, backslashes and control characters (RFC 8259 §7).
    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension LocatedJSON.Malformed: LocalizedError {
    package var errorDescription: String? { "Line \(line), column \(column): \(problem)." }
    package var recoverySuggestion: String? { "\(remedy)." }
}
