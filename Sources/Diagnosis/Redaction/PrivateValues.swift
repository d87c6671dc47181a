import MSAL
import OAuthCore

/// The values after the name of a secret or of a user, hidden as a whole: they can consist of words that a copy keeps elsewhere.
struct PrivateValues {
    struct Value {
        let name: String
        let isSecret: Bool
        /// Without quotation marks.
        let range: Range<Int>
        let after: Int
        /// Whether only quotation marks around it keep its JSON valid.
        let needsQuotes: Bool
    }

    /// By the places where they begin, with their quotation marks.
    private(set) var values: [Int: Value] = [:]
    /// By the places where they begin.
    let names: [Int: WrittenName]
    private let bytes: [UInt8]
    private let known: [Int: Int]

    /// By where they begin. `ends` is where the value of a user's name ends at the latest; `urls` have values of their own.
    init(in bytes: [UInt8], known: [Int: Int], urls: [Int: Int], ends: Set<Int>) {
        (self.bytes, self.known) = (bytes, known)
        let all = WrittenName.all(in: bytes)
        names = Dictionary(all.map { ($0.range.lowerBound, $0) }) { first, _ in first }
        let outside = urls.map { $0.key..<$0.value }.sorted { $0.lowerBound < $1.lowerBound }
        var (end, url) = (0, 0)
        // The name that the member or attribute before gives to the next value, as in `<add key="ClientSecret" value="…"/>`.
        var named: String?
        for name in all where name.range.lowerBound >= end && name.value < bytes.count {
            while url < outside.count, outside[url].upperBound <= name.value { url += 1 }
            if url < outside.count, outside[url].contains(name.value) { continue }
            let text = name.local
            if Self.naming.contains(text.lowercased()), let (start, end, _) = Self.quoted(bytes, at: name.value) {
                let value = String(decoding: bytes[start..<end], as: UTF8.self)
                named = WireParameter.isSecret(inText: value) ? value : nil
                guard named == nil else { continue }
            }
            let owner = text.lowercased() == "value" ? named : nil
            guard let value = value(of: owner ?? text, name, ends) else { continue }
            values[name.value] = value
            end = value.after
        }
    }

    private static let mostOfList = 4096
    private static let naming: Set = ["key", "name"]
    /// The options of `curl`, `docker login` and others.
    private static let options = ["-u": "user", "-p": "password", "--user": "user", "--username": "user"]

    private static let longestName = 64

    private func byte(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

    // MARK: Where it ends

    private func value(of text: String, _ name: WrittenName, _ ends: Set<Int>) -> Value? {
        let (place, text) = (name.value, name.sign == .option ? Self.options[text] ?? text : text)
        let isSecret = WireParameter.isSecret(inText: text)
        guard isSecret || WireParameter.isUser(inText: text) else { return nil }
        let isMember = !name.mark.isEmpty && byte(name.range.upperBound) != UInt8(ascii: "`")
        if let (start, end, after) = Self.quoted(bytes, at: place) {
            let start = afterScheme(start, of: text)
            guard start < end else { return nil }
            return Value(name: text, isSecret: isSecret, range: start..<end, after: after, needsQuotes: false)
        }
        // An object has members of its own; the elements of a list are one value.
        if isMember, isSecret, byte(place) == UInt8(ascii: "["),
            let end = bytes[place...].prefix(Self.mostOfList).firstIndex(of: UInt8(ascii: "]")), end > place + 1
        {
            return Value(name: text, isSecret: true, range: place + 1..<end, after: end, needsQuotes: true)
        }
        if "{[".utf8.contains(byte(place)), isMember || !isSecret { return nil }
        // A text of the rules begins like it.
        let start = afterScheme(max(place, known[name.range.lowerBound] ?? 0), of: text)
        var end = start
        switch name.sign {
        case .element: end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        case .option: end = bytes[start...].firstIndex { " \t\r".utf8.contains($0) } ?? bytes.count
        case .equals where isInForm(name.range, start): end = formLimit(start)
        case .member, .equals: end = self.end(from: start, isSecret: isSecret, isWords: name.sign == .member, ends)
        }
        while end > start, " \t\r".utf8.contains(bytes[end - 1]) { end -= 1 }
        guard start < end, !isEmpty(start..<end, isMember: isMember) else { return nil }
        return Value(name: text, isSecret: isSecret, range: start..<end, after: end, needsQuotes: isMember)
    }

    private func isEmpty(_ range: Range<Int>, isMember: Bool) -> Bool {
        let text = String(decoding: bytes[range], as: UTF8.self)
        return Self.empty.contains(text) || isMember && ["true", "false"].contains(text)
    }

    private static let empty: Set = [
        "null", "nil", "None", "(null)", "<null>", "undefined", "masked", "{", "[", "|", ">",
    ]

    /// The scheme of credentials isn't secret (RFC 9110 §11.4).
    private func afterScheme(_ start: Int, of name: String) -> Int {
        guard name.lowercased().hasSuffix("authorization") else { return start }
        let word = bytes[start...].prefix(while: \.isASCIILetter)
        let isScheme = Placeholders.schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
        let next = bytes[word.endIndex...].prefix { $0 == UInt8(ascii: " ") }
        return isScheme && !next.isEmpty && next.endIndex < bytes.count ? next.endIndex : start
    }

    private func isInForm(_ name: Range<Int>, _ start: Int) -> Bool {
        if "?&".utf8.contains(byte(name.lowerBound - 1)) { return true }
        let end = formLimit(start)
        guard byte(end) == UInt8(ascii: "&") else { return false }
        return names[end + 1].map { $0.sign == .equals && byte($0.range.upperBound) == UInt8(ascii: "=") } ?? false
    }

    private func formLimit(_ start: Int) -> Int {
        bytes[start...].firstIndex { " \t\r\"'`<>&\\".utf8.contains($0) } ?? bytes.count
    }

    /// Of a value without marks: the line's, or where another name, a bracket or a quotation mark of the text around it follows.
    private func end(from start: Int, isSecret: Bool, isWords: Bool, _ ends: Set<Int>) -> Int {
        var index = start
        let open = openMarks(before: start)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\"), "rn\"'".utf8.contains(self.byte(index + 1)) { return index }
            if open.contains(byte) { return index }
            if !isSecret, index > start, ends.contains(index) || known[index] != nil { return index }
            if " \t,;&".utf8.contains(byte) {
                let next = bytes[index...].firstIndex { !" \t,;&".utf8.contains($0) } ?? bytes.count
                if isName(at: next) { return index }
                // Words of the line follow the name.
                if !isSecret, !isWords, !(65...90).contains(self.byte(next)) { return index }
                index = next
            } else {
                index += 1
            }
        }
        return index
    }

    /// Whether a name with a separator begins here, after its quotation mark.
    private func isName(at start: Int) -> Bool {
        let first = bytes[start...].prefix(2).firstIndex { !"\\\"'".utf8.contains($0) } ?? start + 2
        guard let name = names[first], byte(first).isASCIILetter, name.range.count <= Self.longestName
        else { return false }
        return ":=".utf8.contains(byte(name.mark.upperBound)) && !bytes[name.mark.upperBound...].starts(with: ":/".utf8)
    }

    /// The marks that close what is open where a value starts.
    func openMarks(before start: Int) -> Set<UInt8> {
        let line = bytes[..<start].suffix(Self.mostBefore)
        return Set(
            Self.marks.filter { opening, closing in
                let opened = line.count { $0 == opening }
                return opening == closing ? opened % 2 == 1 : opened > line.count { $0 == closing }
            }.map(\.closing))
    }

    private static let marks = zip("([{<\"'`".utf8, ")]}>\"'`".utf8).map { (opening: $0, closing: $1) }

    /// How far back brackets and quotation marks count. Bounds the work for a long line.
    private static let mostBefore = 256

    /// A value in quotation marks: where its text starts and ends, and where the line goes on.
    static func quoted(_ bytes: [UInt8], at index: Int) -> (start: Int, end: Int, after: Int)? {
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
}

/// A name in a line that a value follows: `name: value`, `name = value`, `"name": "value"`, `<name>value</name>`, `--name value`.
struct WrittenName {
    enum Sign { case member, equals, element, option }

    /// Without quotation marks.
    let range: Range<Int>
    let text: String
    /// Without the prefix of its namespace.
    var local: String { text.lastIndex(of: ":").map { String(text[$0...].dropFirst()) } ?? text }
    let sign: Sign
    /// The quotation mark after it; of two bytes in a text of JSON.
    let mark: Range<Int>
    let isQuoted: Bool
    /// Where the value starts, with its quotation mark.
    let value: Int

    static func all(in bytes: [UInt8]) -> [WrittenName] {
        // Without a sign there is none.
        guard bytes.contains(where: { ":=>-".utf8.contains($0) }) else { return [] }
        var (names, index): ([WrittenName], Int) = ([], 0)
        while index < bytes.count, names.count & 0xFFF != 0 || !Task.isCancelled {
            let start = index
            while index < bytes.count, isPart(bytes[index]) || isPrefix(start..<index, in: bytes) { index += 1 }
            // The first letter can be that of an escape.
            let isEscape = start > 0 && bytes[start - 1] == UInt8(ascii: "\\") && "rnt".utf8.contains(bytes[start])
            for start in start...(isEscape ? start + 1 : start) where start < index {
                if let name = WrittenName(start..<index, in: bytes) { names.append(name) }
            }
            if index == start { index += 1 }
        }
        return names
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte.isWordCharacter || "-.".utf8.contains(byte) }

    /// Whether a colon is that of a namespace.
    private static func isPrefix(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let next = range.upperBound + 1
        return bytes[range.upperBound] == UInt8(ascii: ":") && next < bytes.count && isPart(bytes[next])
            && CopyVocabulary.namespaces.contains(String(decoding: bytes[range], as: UTF8.self))
    }

    /// The rest of a name whose beginning has been read, as in `grpc.code=Unknown`.
    init?(restAt start: Int, in bytes: [UInt8]) {
        guard start > 0, ".-:".utf8.contains(bytes[start - 1]) else { return nil }
        self.init(start..<(bytes[start...].firstIndex { !Self.isPart($0) } ?? bytes.count), in: bytes)
    }

    private init?(_ range: Range<Int>, in bytes: [UInt8]) {
        func byte(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }
        var index = range.upperBound
        if byte(index) == UInt8(ascii: "\\"), "\"'".utf8.contains(byte(index + 1)) { index += 1 }
        if "\"'`".utf8.contains(byte(index)) { index += 1 }
        mark = range.upperBound..<index
        isQuoted = !mark.isEmpty && bytes[..<range.lowerBound].suffix(mark.count).elementsEqual(bytes[mark])
        while " \t".utf8.contains(byte(index)) { index += 1 }
        switch byte(index) {
        case UInt8(ascii: ":"): sign = .member
        case UInt8(ascii: "="): sign = .equals
        case UInt8(ascii: ">") where byte(range.lowerBound - 1) == UInt8(ascii: "<"): sign = .element
        case _ where byte(range.lowerBound) == UInt8(ascii: "-") && index > mark.upperBound: sign = .option
        default: return nil
        }
        if sign != .option { index += 1 }
        if sign == .member || sign == .equals, "=>".utf8.contains(byte(index)) { index += 1 }
        if sign == .member, byte(index) == UInt8(ascii: "/"), byte(index + 1) == UInt8(ascii: "/") { return nil }
        while " \t".utf8.contains(byte(index)) { index += 1 }
        (self.range, value) = (range, index)
        text = String(decoding: bytes[range], as: UTF8.self)
    }
}
