import Foundation

/// Two values that a sentence contrasts, such as `expected "A" got "B"` or `A does not match B`, whatever program writes it.
struct Contradiction: Sendable, Equatable {
    let role: ValueRole
    let expected: String
    let received: String
    let line: Int
    /// Whether the values are those of a sign-in and of the token request for its code.
    let isOfCode: Bool
}

extension Contradiction {
    /// `nil` if the sentence has no two values that surely have a role.
    init?(_ sentence: String, _ line: Int) {
        let lower = sentence.lowercased()
        guard Self.says(Self.expecting + Self.differing, lower), !Self.says(Self.code, lower) else { return nil }
        let units = Self.units(sentence)
        let found = zip(units, units.dropFirst()).compactMap { one, other -> Contradiction? in
            guard let (expected, received) = Self.sides(one, other), let role = Self.role(one, other),
                role.accepts(expected), role.accepts(received), expected != received
            else { return nil }
            return Contradiction(
                role: role, expected: expected, received: received, line: line,
                isOfCode: role == .redirectURI && lower.contains("authorization code"))
        }
        guard let first = found.first else { return nil }
        self = first
    }

    private static let expecting = Facts.words("contrasts", "expecting")
    private static let receiving = Facts.words("contrasts", "receiving")
    private static let differing = Facts.words("contrasts", "differing")
    private static let between = Facts.words("contrasts", "between")
    private static let announcing = Facts.words("contrasts", "announcing")
    private static let code = Facts.words("contrasts", "code")

    private static func says(_ words: [String], _ text: some StringProtocol) -> Bool {
        words.contains { text.contains($0) }
    }

    /// The value that was expected, and the other one.
    private static func sides(_ one: Unit, _ other: Unit) -> (String, String)? {
        let isUnexpected = says(["unexpected"], one.label)
        if !isUnexpected, says(expecting, one.label), says(receiving, other.label) { return (one.value, other.value) }
        if says(differing, other.label) { return (other.value, one.value) }
        if says(receiving, one.label), says(expecting, other.label) { return (other.value, one.value) }
        let words = other.label.split { !$0.isLetter && !"!=≠-><".contains($0) }
        guard says(differing, one.label), words.contains(where: { between.contains(String($0)) }) else { return nil }
        return (one.value, other.value)
    }

    private static func role(_ one: Unit, _ other: Unit) -> ValueRole? {
        one.label.contains("host") && other.label.contains("host")
            ? .address : ValueRole.named(in: one.label) ?? ValueRole.named(in: other.label)
    }

    /// A value, and the words before it in small letters.
    typealias Unit = (label: String, value: String)

    /// What is in quotes, URLs, and words after "expected", "got" and the like.
    static func units(_ sentence: String) -> [Unit] {
        let bytes = Array(sentence.replacing("“", with: "\"").replacing("”", with: "\"").utf8)
        var (units, index, last) = ([Unit](), 0, 0)
        func label(_ end: Int) -> String {
            String(decoding: bytes[max(last, end - 300)..<end], as: UTF8.self).lowercased()
        }
        while index < bytes.count, units.count < mostUnits {
            let isStart = index == 0 || !bytes[index - 1].isWordCharacter
            guard isStart, let range = quoted(bytes, index) ?? url(bytes, index) ?? bare(bytes, index) else {
                index += 1
                continue
            }
            units.append((label(index), String(decoding: bytes[range], as: UTF8.self)))
            index = range.upperBound
            if index < bytes.count, quotes.contains(bytes[index]) { index += 1 }
            last = index
        }
        return units
    }

    private static let mostUnits = 12
    private static let quotes = Array("\"'`".utf8)
    private static let delimiters = Array("\"'`<>,;)]}|".utf8)

    /// Quoted text without a blank between words.
    private static func quoted(_ bytes: [UInt8], _ index: Int) -> Range<Int>? {
        guard quotes.contains(bytes[index]) else { return nil }
        let rest = bytes[(index + 1)...].prefix(500)
        guard let end = rest.firstIndex(of: bytes[index]), end > index + 1 else { return nil }
        // The name of a member is no value.
        let isName = end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: ":")
        if isName, bytes[index + 1..<end].allSatisfy(\.isWordCharacter) { return nil }
        let isOneWord = !bytes[index + 1..<end].drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.contains(0x20)
        return isOneWord ? index + 1..<end : nil
    }

    private static func url(_ bytes: [UInt8], _ index: Int) -> Range<Int>? {
        let scheme = bytes[index...].prefix(64).prefix { $0.isWordCharacter || "+.-".utf8.contains($0) }
        guard bytes[index].isASCIILetter, bytes[scheme.endIndex...].starts(with: Array("://".utf8)) else { return nil }
        return word(bytes, index)
    }

    /// A word after one that announces a value. Ordinary words have neither digits nor signs.
    private static func bare(_ bytes: [UInt8], _ index: Int) -> Range<Int>? {
        guard bytes[index].isWordCharacter, index > 0, " =:(".utf8.contains(bytes[index - 1]) else { return nil }
        // A host alone in parentheses.
        if bytes[index - 1] == UInt8(ascii: "("),
            String(decoding: bytes[max(0, index - 60)..<index], as: UTF8.self).lowercased().contains("host"),
            let range = word(bytes, index), range.upperBound < bytes.count,
            bytes[range.upperBound] == UInt8(ascii: ")"), bytes[range].contains(UInt8(ascii: "."))
        {
            return range
        }
        let before = String(decoding: bytes[max(0, index - 14)..<index], as: UTF8.self).lowercased()
            .trimmingCharacters(in: .init(charactersIn: " :=("))
        guard announcing.contains(where: before.hasSuffix), let range = word(bytes, index) else { return nil }
        return bytes[range].contains { !$0.isASCIILetter } ? range : nil
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> Range<Int>? {
        let end = bytes[index...].firstIndex { $0 <= 0x20 || delimiters.contains($0) } ?? bytes.endIndex
        let dots = bytes[index..<end].reversed().prefix { ".:!?".utf8.contains($0) }.count
        return end - dots > index ? index..<end - dots : nil
    }
}
