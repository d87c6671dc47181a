import Foundation
import JSON

package struct InvalidJSON: LocalizedError, Sendable, Equatable {
    package var line: Int
    /// In characters, as editors count.
    package var column: Int
    package var problem: String
    package var remedy: String

    init(_ found: JSONValue.Malformed, in bytes: [UInt8]) {
        let lines = TextLines(bytes)
        line = lines.line(of: found.offset)
        column = String(decoding: bytes[lines.start(of: line)..<found.offset], as: UTF8.self).count + 1
        (problem, remedy) = found.expected.texts(before: Rest(bytes: bytes, offset: found.offset))
    }

    package var errorDescription: String? { "Line \(line), column \(column): \(problem)." }
    package var recoverySuggestion: String? { "\(remedy)." }
}

extension LocatedJSON {
    package init(parsing text: String) throws(InvalidJSON) {
        // Editors on Windows begin a file with a byte order mark, which a reader may ignore (RFC 8259 §8.1).
        let mark = [UInt8]("\u{FEFF}".utf8)
        let all = Array(text.utf8)
        let bytes = all.starts(with: mark) ? Array(all.dropFirst(mark.count)) : all
        do { self = try JSONReader.locate(bytes, deepest: 32) } catch { throw InvalidJSON(error, in: bytes) }
    }

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

/// The lines of a text: after a line feed, or a carriage return on its own.
struct TextLines {
    private var starts = [0]

    init(_ bytes: [UInt8]) {
        for (index, byte) in bytes.enumerated() {
            let isNewline =
                byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r") && bytes[(index + 1)...].first != UInt8(ascii: "\n")
            if isNewline { starts.append(index + 1) }
        }
    }

    func line(of offset: Int) -> Int { (starts.firstIndex { $0 > offset } ?? starts.count) }

    func start(of line: Int) -> Int { starts[line - 1] }
}

private struct Rest {
    var bytes: [UInt8]
    var offset: Int

    var first: Unicode.Scalar? { bytes[offset...].first.map { Unicode.Scalar($0) } }

    var quoted: String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: String(decoding: bytes[offset...].prefix(64), as: UTF8.self).unicodeScalars.prefix(16))
        return "'\(String(start).prefix(1))'"
    }

    /// The number or word without quotation marks.
    var word: String { String(decoding: bytes[offset...].prefix(while: JSONReader.isInWord), as: UTF8.self) }

    func string(at offset: Int) -> String { (try? JSONReader.value(of: bytes, in: offset..<bytes.count))?.string ?? "" }

    func unexpected(_ wanted: String) -> (problem: String, remedy: String) {
        switch first {
        case nil: ("the file ends here", "Add \(wanted)")
        case "/", "#": ("JSON has no comments", "Remove the comment")
        case "'": ("JSON strings need double quotes", "Use \" instead of '")
        case _?: ("unexpected \(quoted)", "Add \(wanted)")
        }
    }
}

extension JSONValue.Expectation {
    fileprivate func texts(before rest: Rest) -> (problem: String, remedy: String) {
        switch self {
        case .utf8: ("the text is not UTF-8", "Save it as UTF-8")
        case .value where rest.word.isEmpty:
            rest.unexpected("a value: a string in quotes, a number, true, false, null, [ or {")
        case .value: ("'\(rest.word)' is not a JSON value", "Put a string in double quotes: \"\(rest.word)\"")
        case .name: rest.unexpected("a key in double quotes")
        case .colon(let name): rest.unexpected("a colon after the key \"\(rest.string(at: name))\"")
        case .comma(let close):
            rest.unexpected(
                "a comma, or '\(Unicode.Scalar(close))' to end the \(close == UInt8(ascii: "}") ? "object" : "list")")
        case .noClosingAfterComma: ("comma before \(rest.quoted)", "Remove the last comma")
        case .end: ("\(rest.quoted) after the end", "Remove everything after the last closing brace")
        case .shallowerNesting: ("nested too deeply", "A configuration has at most four levels")
        case .character: Self.unended(at: rest.first)
        case .escape: ("invalid escape", "Use \\\\ for a backslash")
        case .fourHexadecimalDigits: ("four hexadecimal digits required", "Use the character itself")
        case .wholeSurrogatePair: ("half of a surrogate pair", "Use the character itself")
        }
    }

    private static func unended(at scalar: Unicode.Scalar?) -> (problem: String, remedy: String) {
        switch scalar {
        case nil: ("the file ends inside a string", "Add the closing quote")
        case "\n", "\r": ("the string doesn't end on its line", "Add the closing quote")
        case _?: ("control character in a string", "Use \\t for a tab")
        }
    }
}
