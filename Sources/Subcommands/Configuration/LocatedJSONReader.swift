/// A parser of JSON text. Works on scalars like the grammar, so that a quote with a combining mark is still a quote.
struct LocatedJSONReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0

    /// Deeper nesting is rejected, to protect the stack.
    private static let deepest = 32

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func document() throws(LocatedJSON.Malformed) -> LocatedJSON {
        skipSpace()
        let value = try value()
        skipSpace()
        if next != nil {
            throw malformed("\(nextQuoted) after the end", "Remove everything after the last closing brace")
        }
        return value
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func advance() {
        let passed = scalars[index]
        index += 1
        if passed == "\n" || passed == "\r" && next != "\n" {
            line += 1
            lineStart = index
        }
    }

    private mutating func skipSpace() {
        while let scalar = next, [" ", "\t", "\n", "\r"].contains(scalar) { advance() }
    }

    /// An error at the current place. Counts columns in characters, like editors.
    private func malformed(_ problem: String, _ remedy: String) -> LocatedJSON.Malformed {
        let column = text(scalars[lineStart..<index]).count + 1
        return LocatedJSON.Malformed(line: line, column: column, problem: problem, remedy: remedy)
    }

    private func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The next character with its combining marks.
    private var nextQuoted: String { "'\(text(scalars[index...].prefix(16)).prefix(1))'" }

    private func unexpected(_ wanted: String) -> LocatedJSON.Malformed {
        switch next {
        case nil: malformed("the file ends here", "Add \(wanted)")
        case "/", "#": malformed("JSON has no comments", "Remove the comment")
        case "'": malformed("JSON strings need double quotes", "Use \" instead of '")
        case _?: malformed("unexpected \(nextQuoted)", "Add \(wanted)")
        }
    }

    private mutating func value() throws(LocatedJSON.Malformed) -> LocatedJSON {
        let line = line
        switch next {
        case "{": return LocatedJSON(line: line, content: .object(try object()))
        case "[": return LocatedJSON(line: line, content: .array(try array()))
        case "\"": return LocatedJSON(line: line, content: .string(try string()))
        default: return LocatedJSON(line: line, content: try word())
        }
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(LocatedJSON.Malformed) -> LocatedJSON.Content {
        let word = text(
            scalars[index...].prefix {
                $0.isASCII && ($0.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains($0))
            })
        let content: LocatedJSON.Content
        switch word {
        case "null": content = .null
        case "true", "false": content = .bool(word == "true")
        case _ where word.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/#) != nil:
            content = .number(word)
        case "": throw unexpected("a value: a string in quotes, a number, true, false, null, [ or {")
        default: throw malformed("'\(word)' is not a JSON value", "Put a string in double quotes: \"\(word)\"")
        }
        for _ in word.unicodeScalars { advance() }
        return content
    }

    private mutating func object() throws(LocatedJSON.Malformed) -> [LocatedJSON.Member] {
        var members: [LocatedJSON.Member] = []
        try list(until: "}") { reader throws(LocatedJSON.Malformed) in
            guard reader.next == "\"" else { throw reader.unexpected("a key in double quotes") }
            let line = reader.line
            let key = try reader.string()
            reader.skipSpace()
            guard reader.next == ":" else { throw reader.unexpected("a colon after the key \"\(key)\"") }
            reader.advance()
            reader.skipSpace()
            members.append(.init(key: key, line: line, value: try reader.value()))
        }
        return members
    }

    private mutating func array() throws(LocatedJSON.Malformed) -> [LocatedJSON] {
        var elements: [LocatedJSON] = []
        try list(until: "]") { reader throws(LocatedJSON.Malformed) in elements.append(try reader.value()) }
        return elements
    }

    /// A bracketed list with commas.
    private mutating func list(
        until close: Unicode.Scalar, element: (inout Self) throws(LocatedJSON.Malformed) -> Void
    ) throws(LocatedJSON.Malformed) {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest {
            throw malformed("nested too deeply", "A configuration has at most four levels")
        }
        advance()
        skipSpace()
        if next == close { return advance() }
        while true {
            try element(&self)
            skipSpace()
            if next == close { return advance() }
            guard next == "," else {
                throw unexpected("a comma, or '\(close)' to end the \(close == "}" ? "object" : "list")")
            }
            advance()
            skipSpace()
            if next == close { throw malformed("comma before '\(close)'", "Remove the last comma") }
        }
    }

    private mutating func string() throws(LocatedJSON.Malformed) -> String {
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar != "\"" {
            if scalar == "\n" || scalar == "\r" {
                throw malformed("the string doesn't end on its line", "Add the closing quote")
            }
            if scalar.value < 0x20 { throw malformed("control character in a string", "Use \\t for a tab") }
            advance()
            text.append(try scalar == "\\" ? escape() : scalar)
        }
        if next == nil { throw malformed("the file ends inside a string", "Add the closing quote") }
        advance()
        return String(text)
    }

    private mutating func escape() throws(LocatedJSON.Malformed) -> Unicode.Scalar {
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let next, let scalar = plain[next] {
            advance()
            return scalar
        }
        guard next == "u" else { throw malformed("invalid escape", "Use \\\\ for a backslash") }
        advance()
        let first = try unit()
        if first & 0xFC00 == 0xD800, next == "\\" {
            advance()
            if next == "u" { advance() }
            let second = try unit()
            let pair = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
            if second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(pair) { return scalar }
        } else if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        throw malformed("half of a surrogate pair", "Use the character itself")
    }

    /// Four hexadecimal digits.
    private mutating func unit() throws(LocatedJSON.Malformed) -> UInt32 {
        let digits = scalars[index...].prefix(4).prefix { $0.properties.isASCIIHexDigit }
        guard digits.count == 4, let value = UInt32(text(digits), radix: 16) else {
            throw malformed("four hexadecimal digits required", "Use the character itself")
        }
        for _ in digits { advance() }
        return value
    }
}
