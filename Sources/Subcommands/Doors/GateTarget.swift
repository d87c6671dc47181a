import OAuthCore

/// Requests that a gate lets through: a method and a path, or the beginning of one.
struct GateRule: Sendable, Equatable {
    /// As the user wrote it.
    let text: String
    private let method: String
    private let path: String
    private let isPrefix: Bool

    /// `GET /mail/*`: one method or `*`, and a path, whose end can be `*`. `nil` for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0] == "*" || words[0].allSatisfy({ ("A"..."Z").contains($0) || $0 == "-" }),
            HTTPRequest.Method(relayed: String(words[0])) != nil, words[1].hasPrefix("/")
        else { return nil }
        self.text = text
        method = String(words[0])
        isPrefix = words[1].hasSuffix("*")
        path = String(isPrefix ? words[1].dropLast() : words[1])
        guard !path.contains(where: { "*?#%".contains($0) }), (try? GateTarget("\(path)")) != nil else { return nil }
    }

    /// Who may read may ask whether there is something to read.
    func allows(_ method: String, _ path: String) -> Bool {
        (self.method == "*" || self.method == method || (self.method == "GET" && method == "HEAD"))
            && (isPrefix ? path.hasPrefix(self.path) : path == self.path)
    }
}

/// The path and the query that a client asks of a gate, in all spellings in which a server could read the path.
struct GateTarget: Sendable, Equatable {
    struct Malformed: Error {}

    /// As sent.
    let path: String
    private let query: Substring?
    /// The path and what comes of it by decoding it again and again, without empty segments.
    private let spellings: [String]

    /// Decoding more often has no purpose but to deceive.
    private static let mostDecodings = 4

    /// Throws if the path has a segment `.` or `..`, a backslash, a control character or an invalid escape, in any spelling:
    /// clients remove the former before they send a request, and servers don't agree about the others.
    init(_ target: some StringProtocol) throws(Malformed) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? Substring(parts[1]) : nil
        guard path.hasPrefix("/"), !target.contains("#") else { throw Malformed() }
        var bytes = Array(path.utf8)
        guard Self.decoded(bytes, isStrict: true) != nil else { throw Malformed() }
        var spellings: [String] = []
        while true {
            guard Self.isPlain(bytes), spellings.count <= Self.mostDecodings else { throw Malformed() }
            spellings.append(Self.withoutEmptySegments(bytes))
            let next = Self.decoded(bytes, isStrict: false) ?? bytes
            if next == bytes { break }
            bytes = next
        }
        self.spellings = (spellings.first == path ? [] : [path]) + spellings
    }

    var text: String { path + (query.map { "?\($0)" } ?? "") }

    /// No rules allow everything.
    func isAllowed(_ method: String, by rules: [GateRule]) -> Bool {
        rules.isEmpty || spellings.allSatisfy { path in rules.contains { $0.allows(method, path) } }
    }

    /// What one answer of the user covers: the first segment of the path, with all slashes before it.
    var place: String {
        let segments = path.split(separator: "/")
        return "\(path.prefix { $0 == "/" })\(segments.first ?? "")\(segments.count > 1 ? "/*" : "")"
    }

    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") } && !hasLongForms(bytes)
            && !text.contains(where: slashes.contains) && !text.split(separator: "/").contains(where: isOfDots)
    }

    private static func isOfDots(_ segment: Substring.UnicodeScalarView) -> Bool {
        // Some servers remove what follows one of these first, some the blanks and dots at the end of a name, and some the bytes
        // that aren't UTF-8, or take them for blanks of another character set.
        let name = segment.prefix { !";?#".unicodeScalars.contains($0) }
        return name.contains(where: dots.contains)
            && name.allSatisfy {
                dots.contains($0) || $0 == "\u{FFFD}" || $0.properties.isWhitespace
                    || $0.properties.isDefaultIgnorableCodePoint
            }
    }

    /// What a character set of fewer characters has in place of it.
    private static let dots = Set(".\u{2024}\u{2025}\u{2026}\u{FE52}\u{FF0E}".unicodeScalars)
    private static let slashes = Set("\u{2044}\u{2215}\u{29F8}\u{29F9}\u{FE68}\u{FF0F}\u{FF3C}".unicodeScalars)

    /// Whether some decoder makes an ASCII character of several bytes (RFC 3629 §10), or of `%u002e`.
    private static func hasLongForms(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst() + [0]).contains { first, second in
            switch first {
            case 0xC0, 0xC1, 0xF8...: true
            case 0xE0: (0x80..<0xA0).contains(second)
            case 0xF0: (0x80..<0x90).contains(second)
            case UInt8(ascii: "%"): second | 0x20 == UInt8(ascii: "u")
            default: false
            }
        }
    }

    private static func withoutEmptySegments(_ bytes: [UInt8]) -> String {
        let slash = UInt8(ascii: "/")
        var collapsed: [UInt8] = []
        for byte in bytes where byte != slash || collapsed.last != slash { collapsed.append(byte) }
        return String(decoding: collapsed, as: UTF8.self)
    }

    /// `nil` for an invalid escape, if that isn't left as it is.
    private static func decoded(_ bytes: [UInt8], isStrict: Bool) -> [UInt8]? {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let escape = bytes[index] == UInt8(ascii: "%") ? bytes[(index + 1)...].prefix(2) : []
            if escape.count == 2, escape.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let byte = UInt8(String(decoding: escape, as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
                continue
            }
            if isStrict, bytes[index] == UInt8(ascii: "%") { return nil }
            result.append(bytes[index])
            index += 1
        }
        return result
    }
}
