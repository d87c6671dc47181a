import Foundation
import MSAL
import OAuthCore

/// Writes a line of a text again: what the rules know as it is, values by their names, and an ellipsis for the rest.
///
/// The same grammar reads lines of logs, forms, headers, JSON, dictionaries of Python, YAML and markup: names with values, elements
/// with texts, URLs, times, GUIDs, words and signs. What fits none is left out.
struct LineCopy {
    private(set) var placeholders: Placeholders
    private(set) var text = ""
    private let bytes: [UInt8]
    /// What the rules know of the line, by its start: the longest.
    private let known: [Int: Int]
    private let urls: [Int: Int]
    private let forms: [Int: FixedForms.Piece]
    private var index = 0
    /// What is left out so far, and the blanks after it.
    private var gap: [UInt8] = []
    private var blanks: [UInt8] = []
    /// The last words that the copy has.
    private var word = ""
    /// Whether the last name begins its line.
    private var isField = false

    init(_ bytes: [UInt8], _ placeholders: Placeholders) {
        self.bytes = bytes
        self.placeholders = placeholders
        known = Dictionary(LogFile.known(in: bytes).map { ($0.lowerBound, $0.upperBound) }, uniquingKeysWith: max)
        urls = Self.urls(in: bytes).merging(Self.paths(in: bytes)) { url, _ in url }
        forms = Dictionary(FixedForms(in: bytes).pieces.map { ($0.range.lowerBound, $0) }) { first, _ in first }
        while index < bytes.count, !Task.isCancelled { step() }
        flush()
    }

    private mutating func step() {
        if let end = urls[index] {
            write(placeholders.url(string(index..<end)))
            index = end
        } else if copyKnownWord() || copyPair() {
            return
        } else if let end = known[index] {
            write(string(index..<end))
            word = string(index..<end)
            index = end
        } else if let piece = forms[index] {
            let text = string(piece.range)
            write(
                piece.isTime
                    ? text
                    : isRequestID(at: piece.range)
                        ? placeholders.keep(text, as: "request ID") : placeholders.identifier(text))
            index = piece.range.upperBound
        } else if !copyElement() {
            if Self.isSign(bytes[index]) { copySign() } else { copyWord() }
        }
    }

    // MARK: Output

    /// Writes what the copy keeps, after what it leaves out.
    private mutating func write(_ shown: String) {
        flush()
        text += shown
    }

    private mutating func leaveOut(_ range: Range<Int>) {
        gap += blanks + bytes[range]
        blanks = []
    }

    private mutating func flush() {
        if !gap.isEmpty { text += placeholders.leaveOut(String(decoding: gap, as: UTF8.self)) }
        text += String(decoding: blanks, as: UTF8.self)
        (gap, blanks) = ([], [])
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: Signs and words

    private static func isSign(_ byte: UInt8) -> Bool { " :=,;&?()[]{}<>|\"'`\t\\\r".utf8.contains(byte) }

    private func isStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let isEscape = index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && "rnt".utf8.contains(bytes[index - 1])
        return Self.isSign(bytes[index - 1]) || isEscape
    }

    /// A whole word of the vocabulary, with a text of the rules in it.
    private mutating func copyKnownWord() -> Bool {
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

    private mutating func copySign() {
        let byte = bytes[index]
        // The letter of an escape is no word.
        let length =
            byte == UInt8(ascii: "\\") && index + 1 < bytes.count && "rnt\"'\\/".utf8.contains(bytes[index + 1]) ? 2 : 1
        let sign = bytes[index..<index + length]
        if !gap.isEmpty, byte == UInt8(ascii: " ") {
            blanks += sign
        } else {
            write(String(decoding: sign, as: UTF8.self))
        }
        index += length
    }

    private mutating func copyWord() {
        var end = index
        while end < bytes.count, !Self.isSign(bytes[end]),
            end == index || known[end] == nil && forms[end] == nil && urls[end] == nil
        {
            end += 1
        }
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
        // The punctuation after it.
        if last < end {
            write(string(last..<end))
            index = end
        }
    }

    /// The word, or what stands in its place; `nil` if it's left out.
    private mutating func shown(_ word: String, _ range: Range<Int>) -> String? {
        guard isStart(range.lowerBound) else { return nil }
        if CopyVocabulary.hasWord(word) || CopyVocabulary.hasValue(word) || isSignOfText(word) { return word }
        if isNumber(word), isNumberKept(word, range) { return word }
        let host = word.lowercased()
        if word.contains("."), Placeholders.isPublic(host: host) { return placeholders.host(host) }
        if Loopback.contains(host) { return host }
        return placeholders.placeholder(ofHost: host).map { _ in placeholders.host(host) }
    }

    /// Arrows, dashes and the like.
    private func isSignOfText(_ word: String) -> Bool { word.utf8.allSatisfy { "-*+>#&?/.~$^_".utf8.contains($0) } }

    private func isNumber(_ word: String) -> Bool { word.utf8.count <= 10 && word.utf8.allSatisfy(\.isDigit) }

    /// Threads, lines and statuses; the port of this computer.
    private func isNumberKept(_ number: String, _ range: Range<Int>) -> Bool {
        let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
        let after = range.upperBound < bytes.count ? bytes[range.upperBound] : 0
        if before == UInt8(ascii: ":"), Loopback.contains(word) { return true }
        let isStatus = number.utf8.count == 3 && "12345".contains(number.first ?? "0")
        let last = word.lowercased()
        // urllib3 writes the length after the status.
        if isStatus, text.hasSuffix("\" ") || last.hasPrefix("http") { return true }
        if CopyVocabulary.beforeNumbers.contains(last) {
            return isStatus || !["code", "http", "response"].contains(last)
        }
        // `[process:thread]` of Apple's logs.
        let isInBrackets = before == UInt8(ascii: "[") && ":]".utf8.contains(after)
        let isThread = before == UInt8(ascii: ":") && after == UInt8(ascii: "]")
        return isInBrackets || isThread && text.firstMatch(of: #/\[[0-9]{1,8}:$/#) != nil
    }

    // MARK: Names with values

    /// A name of a protocol, a configuration or a log, with its value.
    private mutating func copyPair() -> Bool {
        guard isStart(index) || !bytes[index - 1].isWordCharacter, bytes[index].isWordCharacter else { return false }
        var end = index
        while end < bytes.count, bytes[end].isWordCharacter || "-.:".utf8.contains(bytes[end]) {
            if bytes[end] == UInt8(ascii: ":"), !CopyVocabulary.namespaces.contains(string(index..<end)) { break }
            end += 1
        }
        let name = string(index..<end)
        let before = index > 0 ? bytes[index - 1] : 0
        let isQuoted = end < bytes.count && before == bytes[end] && "\"'".utf8.contains(before)
        var separator = end + (isQuoted ? 1 : 0)
        // A quotation mark in a text of JSON.
        let isEscaped =
            !isQuoted && index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && before == UInt8(ascii: "\"")
            && bytes[end...].starts(with: Array("\\\"".utf8))
        if isEscaped { separator += 2 }
        let afterName = separator
        while separator < bytes.count, bytes[separator] == UInt8(ascii: " ") { separator += 1 }
        guard separator < bytes.count, ":=".utf8.contains(bytes[separator]) else { return false }
        if bytes[separator...].starts(with: Array("://".utf8)) { return false }
        let isMember = bytes[separator] == UInt8(ascii: ":")
        let isParameter = bytes[separator] == UInt8(ascii: "=") && "?&".utf8.contains(before)
        let isName = CopyVocabulary.hasName(name) || WireParameter.isListed(name)
        guard isName || (isQuoted || isEscaped) && isMember || isParameter else { return false }
        var value = separator + 1
        while value < bytes.count, bytes[value] == UInt8(ascii: " ") { value += 1 }
        // A longer text of the rules begins like it.
        guard known[index] ?? 0 <= value, forms[index] == nil else { return false }
        let shown = isName ? name : placeholders.hide(name, as: "name")
        write(shown + string(end..<afterName) + string(afterName..<value))
        word = name
        index = value
        isField = Self.isField(text.dropLast(shown.count + value - end))
        copyValue(of: isName ? name : nil, isMember: isMember, isQuoted: isQuoted || isEscaped)
        return true
    }

    /// Whether only marks of a list or of a tool precede, so that the rest of the line is the value.
    private static func isField(_ before: Substring) -> Bool {
        before.hasSuffix("\\n") || before.hasSuffix("header: ") || before.allSatisfy { " \t<>-*{".contains($0) }
    }

    /// - Parameter name: `nil` if it's hidden.
    private mutating func copyValue(of name: String?, isMember: Bool, isQuoted: Bool) {
        guard index < bytes.count else { return }
        if let (start, end, after) = quoted() {
            let inner = string(start..<end).replacing("\\/", with: "/").replacing("\\u0026", with: "&")
            write(string(index..<start) + value(inner, of: name) + string(end..<after))
            index = after
        } else if isMember {
            copyMember(of: name, isQuoted: isQuoted)
        } else {
            let end =
                bytes[index...].firstIndex { Self.isSign($0) && $0 != UInt8(ascii: ":") || $0 == UInt8(ascii: "&") }
                ?? bytes.count
            guard end > index, known[index] != end else { return }
            let text = string(index..<end)
            write(Self.constants.contains(text) ? text : parameter(text, of: name))
            index = end
        }
    }

    private static let constants: Set = ["true", "false", "null", "None", "True", "False"]

    /// A value in quotation marks: where its text starts and ends, and where the line goes on.
    private func quoted() -> (start: Int, end: Int, after: Int)? {
        if bytes[index...].starts(with: Array("\\\"".utf8)) {
            let start = index + 2
            guard
                let end = bytes[start...].indices.first(where: {
                    bytes[$0...].starts(with: Array("\\\"".utf8)) && bytes[$0 - 1] != UInt8(ascii: "\\")
                })
            else { return nil }
            return (start, end, end + 2)
        }
        guard "\"'".utf8.contains(bytes[index]) else { return nil }
        var end = index + 1
        while end < bytes.count, bytes[end] != bytes[index] { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end < bytes.count ? (index + 1, end, end + 1) : nil
    }

    private mutating func value(_ text: String, of name: String?) -> String {
        guard !text.isEmpty else { return "" }
        guard let name else {
            return text.contains(" ") ? placeholders.text(Array(text.utf8)) : placeholders.hide(text, as: "value")
        }
        if CopyVocabulary.isSetting(name) {
            return ["Scopes", "scopes"].contains(name)
                ? placeholders.value(text, of: "scope") : placeholders.setting(text)
        }
        if let entry = WireParameter.named(name), entry.isHeader, entry.copiedForm(isHeader: false) == nil {
            return field(text, of: name)
        }
        if CopyVocabulary.isText(name) { return placeholders.text(Array(text.utf8)) }
        return placeholders.value(text, of: name)
    }

    private mutating func parameter(_ text: String, of name: String?) -> String {
        let decoded = Parameters(formEncoded: "x=" + text)["x"] ?? text
        let shown = value(decoded, of: name)
        return decoded == text ? shown : String(Parameters(dictionaryLiteral: ("x", shown)).formEncoded.dropFirst(2))
    }

    /// The value of a member of JSON or YAML, or of a header field, without quotation marks.
    private mutating func copyMember(of name: String?, isQuoted: Bool) {
        if let name, !isQuoted, isField, WireParameter.named(name)?.isHeader == true { return copyField(name) }
        if let name, bytes[index] == UInt8(ascii: "["), let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")),
            let list = Privacy.shown(string(index..<end + 1), of: name, to: .redactedCopy)
        {
            write(list)
            index = end + 1
            return
        }
        let end = bytes[index...].firstIndex { Self.isSign($0) && $0 != UInt8(ascii: ":") } ?? bytes.count
        let text = string(index..<end)
        guard end > index, known[index] == nil, urls[index] == nil, forms[index] == nil else { return }
        if Self.constants.contains(text) {
            write(text)
        } else if isNumber(text) {
            // As text, so that JSON stays JSON.
            let shown = name.flatMap { Privacy.shown(text, of: $0, to: .redactedCopy) }
            guard shown != nil || isQuoted else { return }
            write(shown ?? "\"\(placeholders.hide(text, as: "number"))\"")
        } else if let name, !CopyVocabulary.isText(name),
            isField && (end == bytes.count || CopyVocabulary.isSetting(name))
                || name.contains("_") && WireParameter.isListed(name)
        {
            write(value(text, of: name))
        } else {
            return
        }
        index = end
    }

    /// The rest of a line, or of a line in a literal.
    private mutating func copyField(_ name: String) {
        var end = index
        while end < bytes.count, !"\\'\r".utf8.contains(bytes[end]) { end += 1 }
        guard end > index else { return }
        write(field(string(index..<end), of: name))
        index = end
    }

    private mutating func field(_ text: String, of name: String) -> String {
        switch name.lowercased() {
        case "host":
            let host = text.prefix { $0 != ":" }
            return placeholders.host(host.lowercased())
                + text.dropFirst(host.count).filter { ":0123456789".contains($0) }
        case "content-type": return placeholders.text(Array(text.utf8))
        default: return placeholders.value(text, ofHeader: name) ?? placeholders.text(Array(text.utf8))
        }
    }

    // MARK: Markup

    /// An element with its attributes and the text after it.
    private mutating func copyElement() -> Bool {
        guard bytes[index] == UInt8(ascii: "<") else { return false }
        if let declaration = Self.declarations.first(where: { bytes[index...].starts(with: $0.start) }) {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            write(declaration.written)
            index = end
            return true
        }
        let slash = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/") ? 1 : 0
        var end = index + 1 + slash
        while end < bytes.count, bytes[end].isWordCharacter || "-:".utf8.contains(bytes[end]) { end += 1 }
        let name = string(index + 1 + slash..<end)
        guard CopyVocabulary.hasElement(name) else { return false }
        write(string(index..<end))
        index = end
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), !Task.isCancelled {
            step()
        }
        guard index < bytes.count else { return true }
        write(">")
        index += 1
        if slash == 0 { copyContent(isKey: name == "key") }
        return true
    }

    private mutating func copyContent(isKey: Bool) {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let content = string(index..<end)
        guard !content.allSatisfy(\.isWhitespace) else { return }
        let isKept = isKey && CopyVocabulary.hasKey(content)
        write(isKept ? content : isKey ? placeholders.hide(content, as: "name") : placeholders.setting(content))
        index = end
    }

    private static let declarations: [(start: [UInt8], written: String)] = [
        (Array("<?xml ".utf8), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
        (
            Array("<!DOCTYPE plist".utf8),
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        ),
    ]

    // MARK: URLs and GUIDs

    private static func urls(in bytes: [UInt8]) -> [Int: Int] {
        let line = String(decoding: bytes, as: UTF8.self)
        // Invalid bytes move the places.
        guard line.contains("://"), line.utf8.count == bytes.count else { return [:] }
        let isDelimiter = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || "\"'<>\\)]}`".unicodeScalars.contains(scalar)
        }
        return line.urls(with: "://", upTo: isDelimiter).reduce(into: [:]) { found, url in
            let start = line.utf8.distance(from: line.startIndex, to: url.start)
            var end = line.utf8.distance(from: line.startIndex, to: url.end)
            while end > start, ".,;:!".utf8.contains(bytes[end - 1]) { end -= 1 }
            found[start] = end
        }
    }

    /// The paths of requests and files.
    private static func paths(in bytes: [UInt8]) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "/") {
            guard index == 0 || " \t\"'=([,".utf8.contains(bytes[index - 1]), !" /\"'".utf8.contains(bytes[index + 1])
            else { continue }
            var end = bytes[index...].firstIndex { " \t\"'<>\\)]}`,".utf8.contains($0) } ?? bytes.count
            while end > index, ".;:!".utf8.contains(bytes[end - 1]) { end -= 1 }
            if end > index + 1 { found[index] = end }
        }
        return found
    }

    /// Whether a GUID is that of a request, by the label before it or by its place in a logger's brackets.
    private func isRequestID(at range: Range<Int>) -> Bool {
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

    private static let labels = ["correlationid", "requestid", "traceid", "correlationidkey", "activityid"]
}

extension Placeholders {
    /// A line of a text, as far as it is known.
    mutating func text(_ bytes: [UInt8]) -> String {
        // Moved, not copied: a long text has many placeholders.
        let own = self
        self = Placeholders()
        let copy = LineCopy(bytes, own)
        self = copy.placeholders
        return copy.text
    }
}
