import Foundation
import MSAL
import OAuthCore

/// Writes a line again: what the rules know as it is, values by their names, and an ellipsis for the rest.
/// One grammar for logs, forms, headers, JSON, dictionaries of Python, YAML and markup: what fits none of it is left out.
struct LineCopy {
    var placeholders: Placeholders
    private(set) var text = ""
    let bytes: [UInt8]
    /// What the rules know of the line, by its start: the longest.
    let known: [Int: Int]
    let urls: [Int: Int]
    let forms: [Int: FixedForms.Piece]
    let privates: PrivateValues
    var index = 0
    /// What is left out so far, and the blanks after it.
    var gap: [UInt8] = []
    var blanks: [UInt8] = []
    var word = ""
    var isField = false

    init(_ bytes: [UInt8], _ placeholders: Placeholders) {
        (self.bytes, self.placeholders) = (bytes, placeholders)
        let texts = LogFile.known(in: bytes, andWords: true)
        known = Dictionary(texts.map { ($0.lowerBound, $0.upperBound) }, uniquingKeysWith: max)
        urls = Self.urls(in: bytes).merging(Self.paths(in: bytes)) { url, _ in url }
        forms = Dictionary(FixedForms(in: bytes).pieces.map { ($0.range.lowerBound, $0) }) { first, _ in first }
        privates = PrivateValues(in: bytes, known: known, urls: urls, ends: Set(urls.keys).union(forms.keys))
        var steps = 0
        while index < bytes.count, steps & 0xFF != 0 || !Task.isCancelled {
            step()
            steps += 1
        }
        flush()
    }

    mutating func step() {
        if let end = urls[index], !isKnownScheme {
            write(placeholders.url(string(index..<end)))
            index = end
        } else if copyPrivateValue() || copyKnownWord() || copyPair() || copyQuotedName() {
            return
        } else if let end = known[index] {
            write(string(index..<end))
            word = string(index..<end)
            index = end
        } else if let piece = forms[index] {
            let text = string(piece.range)
            write(
                piece.isTime
                    ? text : isRequestID(at: piece.range) ? placeholders.keep(text) : placeholders.identifier(text))
            index = piece.range.upperBound
        } else if !copyElement() {
            if Self.isSign(bytes[index]) { copySign() } else { copyWord() }
        }
    }

    /// Whether the rules know the start of a URL that isn't of the web.
    var isKnownScheme: Bool {
        guard let end = known[index] else { return false }
        let text = string(index..<end)
        return text.contains("://") && !text.hasPrefix("http")
    }

    // MARK: Output

    mutating func write(_ shown: String) {
        flush()
        text += shown
    }

    mutating func leaveOut(_ range: Range<Int>) {
        gap += blanks + bytes[range]
        blanks = []
    }

    mutating func flush() {
        if !gap.isEmpty { text += placeholders.leaveOut(String(decoding: gap, as: UTF8.self)) }
        text += String(decoding: blanks, as: UTF8.self)
        (gap, blanks) = ([], [])
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: Signs and words

    static func isSign(_ byte: UInt8) -> Bool { signs[Int(byte)] }

    /// A table, because every byte is looked up several times.
    private static let signs = (0...UInt8.max).map { byte in " :=,;&?()[]{}<>|\"'`\t\\\r".utf8.contains(byte) }

    func isStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let isEscape = index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && "rnt".utf8.contains(bytes[index - 1])
        return Self.isSign(bytes[index - 1]) || isEscape
    }

    /// A whole word of the vocabulary, with a text of the rules in it.
    mutating func copyKnownWord() -> Bool {
        guard isStart(index), let end = known[index] else { return false }
        let last = bytes[index...].firstIndex(where: Self.isSign) ?? bytes.count
        guard last > end, case let text = string(index..<last),
            CopyVocabulary.hasWord(text) || CopyVocabulary.hasValue(text)
        else { return false }
        write(string(index..<last))
        word = string(index..<last)
        index = last
        return true
    }

    mutating func copySign() {
        let byte = bytes[index]
        if byte == UInt8(ascii: "="), !gap.isEmpty, blanks.isEmpty, let end = paddingLimit() {
            return leaveOut(to: end)
        }
        // The letter of an escape is no word.
        let length =
            byte == UInt8(ascii: "\\") && index + 1 < bytes.count && "rnt\"'\\/".utf8.contains(bytes[index + 1]) ? 2 : 1
        // A bare one would let a terminal write over the line.
        let sign = byte == UInt8(ascii: "\r") ? [UInt8(ascii: " ")] : bytes[index..<index + length]
        if !gap.isEmpty, byte == UInt8(ascii: " ") {
            blanks += sign
        } else {
            write(String(decoding: sign, as: UTF8.self))
        }
        index += length
    }

    private mutating func leaveOut(to end: Int) {
        leaveOut(index..<end)
        index = end
    }

    /// Where `=` at the end of a word ends, as in Base64; `nil` if a value follows.
    private func paddingLimit() -> Int? {
        let end = bytes[index...].firstIndex { $0 != UInt8(ascii: "=") } ?? bytes.count
        return end == bytes.count || " \t\r\"'`,;)]}<&".utf8.contains(bytes[end]) ? end : nil
    }

    /// A name in quotation marks or brackets that consists of words of the vocabulary, as in `the app 'Token Server'`.
    mutating func copyQuotedName() -> Bool {
        let opening = bytes[index]
        let closing = opening == UInt8(ascii: "(") ? UInt8(ascii: ")") : opening
        guard "\"'`)".utf8.contains(closing), opening != UInt8(ascii: ")"),
            index == 0 || !bytes[index - 1].isWordCharacter
        else { return false }
        let rest = bytes[(index + 1)...].prefix(Self.longestName + 1)
        guard let end = rest.firstIndex(of: closing), end > index + 1, !isMemberName(before: end + 1) else {
            return false
        }
        let name = string(index + 1..<end)
        guard CopyVocabulary.canBeName(name, after: word), !(index + 1..<end).contains(where: { known[$0] != nil })
        else { return false }
        write(string(index..<index + 1) + placeholders.hide(name, as: "value") + string(end..<end + 1))
        word = ""
        index = end + 1
        return true
    }

    /// Whether a value follows, as after the name of a member.
    private func isMemberName(before index: Int) -> Bool {
        let next = bytes[index...].first { $0 != UInt8(ascii: " ") }
        return next == UInt8(ascii: ":") || next == UInt8(ascii: "=")
    }

    private static let longestName = 64

    /// `isn't` and the like.
    private func contractionLimit(_ apostrophe: Int) -> Int? {
        let end = apostrophe + 2
        guard end <= bytes.count, bytes[apostrophe..<end].elementsEqual("'t".utf8),
            end == bytes.count || Self.isSign(bytes[end]) || bytes[end] == UInt8(ascii: ".")
        else { return nil }
        return CopyVocabulary.hasWord(string(index..<end)) ? end : nil
    }

    mutating func copyWord() {
        var end = index
        while end < bytes.count, !Self.isSign(bytes[end]),
            end == index || known[end] == nil && forms[end] == nil && urls[end] == nil
        {
            end += 1
        }
        if let whole = contractionLimit(end) { end = whole }
        var last = end
        while last > index + 1, ".!?".utf8.contains(bytes[last - 1]) { last -= 1 }
        let text = string(index..<last)
        if let shown = shown(text, index..<last) {
            write(shown)
            word = text
        } else {
            leaveOut(index..<last)
            word = ""
        }
        index = last
        // The punctuation after it. That of a sentence; another can belong to what is left out.
        if last < end, !gap.isEmpty, bytes[last..<end].contains(where: { $0 != UInt8(ascii: ".") }) {
            leaveOut(to: end)
        } else if last < end {
            write(string(last..<end))
            index = end
        }
    }

    /// `nil` if it's left out.
    mutating func shown(_ word: String, _ range: Range<Int>) -> String? {
        guard isStart(range.lowerBound) else { return nil }
        if CopyVocabulary.hasWord(word) || CopyVocabulary.hasValue(word) || isSignOfText(word) { return word }
        if isNumber(word), isPublicNumber(word, range) { return word }
        let host = word.lowercased()
        if word.contains("."), Placeholders.isPublic(host: host) { return placeholders.host(host) }
        if Loopback.contains(host) { return host }
        if host.wholeMatch(of: #/[0-9]{1,3}(?:\.[0-9]{1,3}){3}/#) != nil { return placeholders.host(host) }
        return placeholders.placeholder(ofHost: host).map { _ in placeholders.host(host) }
    }

    func isSignOfText(_ word: String) -> Bool { word.utf8.allSatisfy { "-*+>#&?/.~$^_@".utf8.contains($0) } }

    func isNumber(_ word: String) -> Bool { word.utf8.count <= 10 && word.utf8.allSatisfy(\.isDigit) }

    private var isAfterAddress: Bool {
        text.hasSuffix(":") && text.suffix(16).split(separator: " ").last?.hasPrefix("198.51.100.") == true
    }

    /// Threads, lines and statuses; the port of this computer.
    func isPublicNumber(_ number: String, _ range: Range<Int>) -> Bool {
        let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
        let after = range.upperBound < bytes.count ? bytes[range.upperBound] : 0
        if before == UInt8(ascii: ":"), Loopback.contains(word) || text.hasSuffix(".invalid:") || isAfterAddress {
            return number.utf8.count <= 5
        }
        // A list of Microsoft's numbers.
        if before == UInt8(ascii: "["), after == UInt8(ascii: "]"), ErrorDictionary.bundled.entry(.sts, number) != nil {
            return true
        }
        let isStatus = number.utf8.count == 3 && "12345".contains(number.first ?? "0")
        let last = word.lowercased()
        // urllib3 writes the length after the status.
        if isStatus, text.hasSuffix("\" ") || text.hasSuffix("-> ") || last.hasPrefix("http") { return true }
        if CopyVocabulary.beforeNumbers.contains(last) {
            return isStatus || !["code", "http", "response"].contains(last)
        }
        // `program[process:thread]` of logs. Other brackets can have a one-time code.
        let place = range.lowerBound - 2
        let isOfProgram =
            place < 0 ? after == UInt8(ascii: ":") : bytes[place].isWordCharacter || bytes[place] == UInt8(ascii: "]")
        if before == UInt8(ascii: "["), ":]".utf8.contains(after) { return isOfProgram && number.utf8.count <= 7 }
        let isThread = before == UInt8(ascii: ":") && after == UInt8(ascii: "]")
        return isThread && text.suffix(10).firstMatch(of: #/\[[0-9]{1,7}:$/#) != nil
    }

    // MARK: URLs and GUIDs

    static func urls(in bytes: [UInt8]) -> [Int: Int] {
        bytes.urls(with: "://", upTo: "\"'<>\\)]}`").reduce(into: [:]) { found, url in
            found[url.start] = limit(url.end, in: bytes, from: url.start)
        }
    }

    static func paths(in bytes: [UInt8]) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "/") {
            guard index == 0 || " \t\"'=([,".utf8.contains(bytes[index - 1]), !" /\"'".utf8.contains(bytes[index + 1])
            else { continue }
            let end = bytes[index...].firstIndex { " \t\"'<>\\)]}`,".utf8.contains($0) } ?? bytes.count
            found[index] = limit(end, in: bytes, from: index + 1)
        }
        return found
    }

    /// The end without the punctuation of the sentence; `nil` if nothing else is left.
    private static func limit(_ end: Int, in bytes: [UInt8], from start: Int) -> Int? {
        bytes[start..<end].lastIndex { !".,;:!".utf8.contains($0) }.map { $0 + 1 }
    }

    /// Whether a GUID is that of a request, by the label before it or by its place in a logger's brackets.
    func isRequestID(at range: Range<Int>) -> Bool {
        let before = String(decoding: bytes[..<range.lowerBound].suffix(48), as: UTF8.self)
        let label = before.reversed().drop { " \"'`:=[(\\".contains($0) }.prefix { $0.isLetter || "-_ ".contains($0) }
        let name = String(label.reversed()).lowercased().filter(\.isLetter)
        if Self.labels.contains(where: name.hasSuffix) { return true }
        // `[time - ID]` of MSAL, `[time] : [ID] : package` of MSAL.js.
        let after = bytes[range.upperBound...].prefix(4)
        let hasTime = before.firstMatch(of: #/:[0-9]{2}(?:Z| UTC| [AP]M)? - $/#) != nil
        return hasTime && after.first.map { "])".utf8.contains($0) } ?? false
            || before.hasSuffix("] : [") && after.starts(with: Array("] :".utf8))
    }

    static let labels = ["correlationid", "requestid", "traceid", "correlationidkey", "activityid"]
}

extension Placeholders {
    mutating func text(_ bytes: [UInt8]) -> String {
        // Moved, not copied: a long text has many placeholders.
        let own = self
        self = Placeholders()
        let copy = LineCopy(bytes, own)
        self = copy.placeholders
        return copy.text
    }
}
