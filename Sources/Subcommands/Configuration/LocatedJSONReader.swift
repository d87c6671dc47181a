/// One pass over JSON text. Works on characters: a configuration file is small, and columns should be what an editor shows.
struct LocatedJSONReader {
    private let characters: [Character]
    private var index = 0
    private var line = 1
    private var column = 1
    private var depth = 0

    /// No configuration nests deeper; a file that does must not exhaust the stack.
    private static let deepest = 32

    init(_ text: String) { characters = Array(text) }

    mutating func document() throws(LocatedJSON.Malformed) -> LocatedJSON {
        skipSpace()
        let value = try value()
        skipSpace()
        if let extra = next {
            throw malformed("\(quote(extra)) comes after the end", "Remove what follows the last closing brace")
        }
        return value
    }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    private mutating func advance() {
        if characters[index].isNewline {
            line += 1
            column = 1
        } else {
            column += 1
        }
        index += 1
    }

    private mutating func skipSpace() {
        while let character = next, [" ", "\t", "\n", "\r", "\r\n"].contains(character) { advance() }
    }

    private func malformed(_ problem: String, _ remedy: String) -> LocatedJSON.Malformed {
        LocatedJSON.Malformed(line: line, column: column, problem: problem, remedy: remedy)
    }

    private func quote(_ character: Character) -> String { "'\(character)'" }

    private func unexpected(_ wanted: String) -> LocatedJSON.Malformed {
        switch next {
        case nil: malformed("the file ends here", "Write \(wanted)")
        case "/", "#": malformed("JSON has no comments", "Remove the comment")
        case "'": malformed("JSON texts stand in double quotes", "Write \" instead of '")
        case let character?: malformed("\(quote(character)) is not expected here", "Write \(wanted)")
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
        let end = characters[index...].firstIndex {
            !($0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)))
        }
        let word = String(characters[index..<(end ?? characters.count)])
        let content: LocatedJSON.Content
        switch word {
        case "null": content = .null
        case "true", "false": content = .bool(word == "true")
        case _ where word.first.map { $0.isNumber || $0 == "-" } == true && Double(word) != nil: content = .number(word)
        case "": throw unexpected("a value: a text in quotes, a number, true, false, null, [ or {")
        default: throw malformed("'\(word)' is not a JSON value", "Put a text in double quotes: \"\(word)\"")
        }
        for _ in word { advance() }
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

    /// An opening bracket, elements with commas between them, and the closing one.
    private mutating func list(
        until close: Character, element: (inout Self) throws(LocatedJSON.Malformed) -> Void
    ) throws(LocatedJSON.Malformed) {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest {
            throw malformed("this is nested too deeply", "Nothing here needs more than four levels")
        }
        advance()
        skipSpace()
        if next == close { return advance() }
        while true {
            try element(&self)
            skipSpace()
            if next == close { return advance() }
            guard next == "," else { throw unexpected("a comma before it, or \(quote(close)) to end the list") }
            advance()
            skipSpace()
            if next == close { throw malformed("a comma stands before \(quote(close))", "Remove the last comma") }
        }
    }

    private mutating func string() throws(LocatedJSON.Malformed) -> String {
        advance()
        var text = ""
        while let character = next, character != "\"" {
            if character.isNewline { throw malformed("the text does not end on its line", "Close it with a quote") }
            advance()
            if character == "\\" { text.unicodeScalars.append(try escape()) } else { text.append(character) }
        }
        if next == nil { throw malformed("the file ends inside a text", "Close it with a quote") }
        advance()
        return text
    }

    private mutating func escape() throws(LocatedJSON.Malformed) -> Unicode.Scalar {
        let plain: [Character: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let character = next, let scalar = plain[character] {
            advance()
            return scalar
        }
        guard next == "u" else { throw malformed("this is no JSON escape", "Write \\\\ for a backslash") }
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
        throw malformed("this is half of a character", "Write the character itself")
    }

    /// Four hexadecimal digits.
    private mutating func unit() throws(LocatedJSON.Malformed) -> UInt32 {
        let digits = characters[index...].prefix(4).prefix(while: \.isHexDigit)
        guard digits.count == 4, let value = UInt32(String(digits), radix: 16) else {
            throw malformed("four hexadecimal digits belong here", "Write the character itself")
        }
        for _ in digits { advance() }
        return value
    }
}
