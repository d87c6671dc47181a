/// Scans markup tag by tag, with enough HTML support for sign-in forms.
struct MarkupScanner {
    enum Piece: Equatable {
        /// A start tag, with names in lower case and character references resolved.
        case open(String, attributes: [String: String])
        case close(String)
        case text(String)
    }

    /// Scans scalars rather than characters, because a combining mark after a quotation mark forms one character with
    /// it.
    private var rest: Substring.UnicodeScalarView

    init(_ markup: String) { rest = markup[...].unicodeScalars }

    static func pieces(of markup: String) -> [Piece] {
        var scanner = MarkupScanner(markup)
        var pieces: [Piece] = []
        while let piece = scanner.next() { pieces.append(piece) }
        return pieces
    }

    private mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        guard first == "<" else { return .text(Self.resolved(readText { $0 != "<" })) }
        if rest.starts(with: "<!--".unicodeScalars) {
            rest = rest.firstRange(of: "-->".unicodeScalars).map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
            return .text("")
        }
        rest.removeFirst()
        let closes = rest.first == "/"
        if closes { rest.removeFirst() }
        let name = readText { !Self.isSpace($0) && $0 != ">" && $0 != "/" }.lowercased()
        let attributes = attributes()
        if rest.first == ">" { rest.removeFirst() }
        return closes ? .close(name) : .open(name, attributes: attributes)
    }

    private mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while true {
            _ = readText { Self.isSpace($0) || $0 == "/" }
            guard let next = rest.first, next != ">" else { return found }
            let name = readText { !Self.isSpace($0) && $0 != "=" && $0 != ">" && $0 != "/" }.lowercased()
            _ = readText(while: Self.isSpace)
            var value = ""
            if rest.first == "=" {
                rest.removeFirst()
                _ = readText(while: Self.isSpace)
                value = self.value()
            }
            if !name.isEmpty, found[name] == nil { found[name] = Self.resolved(value) }
        }
    }

    private mutating func value() -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return readText { !Self.isSpace($0) && $0 != ">" }
        }
        rest.removeFirst()
        let value = readText { $0 != quote }
        rest = rest.dropFirst()
        return value
    }

    private mutating func readText(while condition: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: condition)
        rest = rest[part.endIndex...]
        return String(part)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// Resolves the character references that pages use for escaping.
    private static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var out = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "&", let semicolon = rest.prefix(12).firstIndex(of: ";"),
                let meant = reference(String(rest[rest.index(after: rest.startIndex)..<semicolon]))
            {
                out += meant
                rest = rest[rest.index(after: semicolon)...]
            } else {
                out.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
        }
        return out
    }

    private static func reference(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
