/// The words of a line, also out of identifiers (`InvalidIssuerError`, `redirect_uri_mismatch`), queries and escapes.
struct Sentence {
    struct Word {
        var text: String
        var range: Range<Int>
        /// Whether another sentence, member or parameter starts with it.
        var startsPart: Bool
        /// Whether it's in a URL, which says nothing of what is wrong.
        var isInURL = false

        var isValue: Bool { text.utf8.count > 3 && text.utf8.contains(where: \.isDigit) }
    }

    private(set) var words: [Word] = []
    private var part = true
    private var addressLimit = 0

    init(_ line: [UInt8]) {
        var index = 0
        while index < line.count {
            let byte = line[index]
            if byte.isASCIILetter || byte.isDigit {
                if index >= addressLimit, line[index...].prefix(12).starts(with: Self.web) {
                    addressLimit = Self.end(ofURL: index, in: line)
                }
                let count = words.count
                part = part || Self.startsMember(line, at: index)
                index = name(line, at: index) ?? word(line, at: index)
                if index <= addressLimit, words.count > count { words[words.count - 1].isInURL = true }
            } else {
                index = separator(line, at: index)
            }
        }
        words = Self.joined(words)
    }

    /// Reads the name of an error of a protocol, which the dictionary explains, as one word.
    private mutating func name(_ line: [UInt8], at start: Int) -> Int? {
        guard start == 0 || !line[start - 1].isWordCharacter else { return nil }
        let end = line[start...].prefix(Self.longestName).firstIndex { !$0.isWordCharacter } ?? line.count
        guard end - start < Self.longestName, line[start..<end].contains(UInt8(ascii: "_")) else { return nil }
        let text = String(decoding: line[start..<end], as: UTF8.self).lowercased()
        guard
            ErrorDictionary.bundled.entry(.oauth, text) != nil || ErrorDictionary.bundled.entry(.suberror, text) != nil
        else { return nil }
        words.append(.init(text: text, range: start..<end, startsPart: part))
        part = false
        return end
    }

    /// Whether a member of a log's line begins after another one, as in `msg="…" error="…"`.
    private static func startsMember(_ line: [UInt8], at start: Int) -> Bool {
        guard start > 1, line[start - 1] == UInt8(ascii: " "), line[start - 2] == UInt8(ascii: "\"") else {
            return false
        }
        let rest = line[start...].prefix(longestName)
        return rest.drop { $0.isWordCharacter || ".-".utf8.contains($0) }.first == UInt8(ascii: "=")
    }

    private static let longestName = 48
    private static let web = Array("http".utf8)

    private static func end(ofURL start: Int, in line: [UInt8]) -> Int {
        let scheme = line[start...].prefix(14)
        guard scheme.prefix(8).contains(UInt8(ascii: "/")) || scheme.contains(UInt8(ascii: "%")) else { return start }
        return line[start...].firstIndex { " \t\"'`<>)]}\\,?#".utf8.contains($0) } ?? line.count
    }

    /// Reads a word: up to a sign, or to the next capital of an identifier.
    private mutating func word(_ line: [UInt8], at start: Int) -> Int {
        var end = max(start + 1, Self.brand(line, at: start))
        while end < line.count, line[end].isASCIILetter || line[end].isDigit {
            let next = end + 1 < line.count ? line[end + 1] : 0
            let isStart = line[end].isCapital && (!line[end - 1].isCapital || next.isASCIILetter && !next.isCapital)
            if isStart { break }
            end += 1
        }
        let text = String(decoding: line[start..<end], as: UTF8.self).lowercased()
        if let (before, after) = contraction(line, end), text.hasSuffix("n") {
            if text != "can" {
                words.append(.init(text: String(text.dropLast()), range: start..<end, startsPart: part))
            }
            words.append(.init(text: "not", range: before..<after, startsPart: false))
            part = false
            return after
        }
        // The value of a member says nothing of a sentence's subject.
        let isValue =
            Self.nothing.contains(text)
            && line[..<start].last { !" \"'\\".utf8.contains($0) }.map(":=(".utf8.contains) == true
        words.append(.init(text: text, range: start..<end, startsPart: part || isValue))
        part = false
        return end
    }

    /// The end of a name that is one word, whatever its capitals.
    private static func brand(_ line: [UInt8], at start: Int) -> Int {
        let name = brands.first { line[start...].prefix($0.count).elementsEqual($0) { $0 | 0x20 == $1 } }
        return start + (name?.count ?? 0)
    }

    private static let brands = ["openid", "oauth", "userinfo", "dpop"].map { Array($0.utf8) }

    private static let nothing = Vocabulary.words("empty")

    /// The `'t` of `doesn't`, in the forms of JSON, markup and typography.
    private func contraction(_ line: [UInt8], _ end: Int) -> (Int, Int)? {
        for mark in Self.apostrophes where line[end...].starts(with: mark) {
            let last = end + mark.count
            guard last < line.count, line[last] == UInt8(ascii: "t"),
                last + 1 == line.count || !line[last + 1].isASCIILetter
            else { return nil }
            return (end - 1, last + 1)
        }
        return nil
    }

    private static let apostrophes = ["'", "\u{2019}", "\\u0027", "%27", "&#39;", "&#x27;"].map { Array($0.utf8) }

    private static let gap = Array("…".utf8)

    private mutating func separator(_ line: [UInt8], at index: Int) -> Int {
        if line[index...].starts(with: Self.gap) {
            // "failed due to" isn't "failed to".
            if words.last.map({ Self.failing.contains($0.text) }) ?? false {
                words.append(.init(text: "", range: index..<index + Self.gap.count, startsPart: part))
            }
            return index + Self.gap.count
        }
        let next = index + 1 < line.count ? line[index + 1] : 0
        switch line[index] {
        case UInt8(ascii: "%"): return next.isDigit || next.isASCIILetter ? index + 3 : index + 1
        case UInt8(ascii: "\\") where next == UInt8(ascii: "u"): return index + 6
        case UInt8(ascii: "\\") where "nr".utf8.contains(next):
            part = true
            return index + 2
        case UInt8(ascii: "\\"): return index + (next == UInt8(ascii: "t") ? 2 : 1)
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ";"), UInt8(ascii: "|"): part = true
        case UInt8(ascii: ","): part = part || index > 0 && "\"'}]".utf8.contains(line[index - 1])
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): part = part || " \"'<\\".utf8.contains(next)
        default: break
        }
        return index + 1
    }

    /// Without the words between, `unable to` and the like as `not`, so that a pattern has one form.
    private static func joined(_ words: [Word]) -> [Word] {
        var joined: [Word] = []
        for word in words {
            if word.text == "cannot" {
                joined.append(.init(text: "not", range: word.range, startsPart: word.startsPart))
            } else if word.text == "to", let last = joined.last, Self.failing.contains(last.text), !word.startsPart {
                joined[joined.count - 1].text = "not"
                joined[joined.count - 1].range = last.range.lowerBound..<word.range.upperBound
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static let failing = Vocabulary.words("failing")
}

extension Sentence {
    /// A line for the reader's own screen: its words, and an ellipsis for each value.
    static func quoted(_ line: [UInt8]) -> String {
        var line = Array(line.prefix(longestQuote))
        let values = PrivateValues(in: line, known: [:], urls: [:], ends: []).values.values.filter(\.isSecret)
        for value in values.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            line.replaceSubrange(value.range, with: hidden.utf8)
        }
        let text = Masking().text(String(decoding: line, as: UTF8.self).withoutControls)
        var (quote, before) = ("", "")
        // A sentence can be a member of JSON, or stand in brackets.
        let pieces = text.replacing(opening.regex) { "\($0.1) \($0.2)" }.split(separator: " ")
        for piece in pieces {
            let shown = shown(piece, after: before)
            if shown != hidden || !quote.hasSuffix(hidden) { quote += (quote.isEmpty ? "" : " ") + shown }
            before = piece.lowercased()
        }
        return quote
    }

    private static let opening = Pattern(#/([\[\](){}"|,])([A-Za-z])/#)
    private static let hidden = "\u{2026}"
    private static let longestQuote = 400
    /// The names of values that can be words.
    private static let named = Vocabulary.words("named")

    private static func shown(_ piece: Substring, after before: String) -> String {
        let word = piece.drop { !$0.isLetter && !$0.isNumber }
        let inner = word.prefix { $0.isASCII && ($0.isLetter || "'-_".contains($0)) }
        let rest = word[inner.endIndex...]
        let isWord = inner.count <= 24 && rest.allSatisfy { ".,:;!?|)]}\"'({[".contains($0) } && !piece.contains("=")
        let isKnown = Statement.knows(inner.lowercased()) || Statement.isParticle(inner.lowercased())
        let isValue =
            before.hasSuffix("=") || before.hasSuffix(":\"")
            || named.contains(before.trimmingCharacters(in: .punctuationCharacters))
        let isName = inner.first?.isUppercase == true && !before.isEmpty && !before.hasSuffix("]") && !isKnown
        return isWord && !inner.isEmpty && (isKnown || !isValue && !isName) ? String(piece) : hidden
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { (65...90).contains(self) }
}
