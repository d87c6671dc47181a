/// An index for filtering: the lowercase texts as bytes, so that ten thousand accounts are filtered without delay.
struct SearchTexts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    private var bounds: [Int] = []

    init(_ accounts: [AccountSummary] = []) { self.init(accounts) { $0.visitSearchTexts($1) } }

    init<Element>(_ elements: [Element], visit: (Element, (String) -> Void) -> Void) {
        bytes.reserveCapacity(elements.count * Self.usualBytes)
        bounds.reserveCapacity(elements.count)
        for element in elements {
            visit(element) { append($0) }
            bounds.append(bytes.count)
        }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices { bytes[index] = Self.lowercased(bytes[index]) }
        }
    }

    private static let usualBytes = 128

    /// Appends a text. ASCII, the common case, is lowercased later, all at once.
    private mutating func append(_ text: String) {
        let isASCII =
            text.utf8.withContiguousStorageIfAvailable { utf8 in
                guard utf8.reduce(0, |) < 0x80 else { return false }
                bytes.append(contentsOf: utf8)
                return true
            } ?? false
        if !isASCII { bytes += text.lowercased().utf8 }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// The `indices` whose text contains all words of a search, in either case; or else those of `others` that the words
    /// abbreviate. A search without words matches all.
    func matches(of search: String, among indices: [Int], orElse others: [Int] = []) -> [Int] {
        let words = search.lowercased().split(separator: " ").map { Array($0.utf8) }
        guard !words.isEmpty else { return indices }
        let found = self.indices(indices) { text in words.allSatisfy { Self.contains($0, in: text) } }
        guard found.isEmpty, !others.isEmpty else { return found }
        let abbreviations = words.map(Abbreviation.init)
        return self.indices(others) { text in abbreviations.allSatisfy { $0.matches(text) } }
    }

    /// Those of `indices` in whose text each word of a search begins a word.
    func beginning(with search: String, among indices: [Int]) -> [Int] {
        let words = search.lowercased().split(separator: " ").map { Array($0.utf8) }
        return self.indices(indices) { text in words.allSatisfy { Self.contains($0, in: text, atWord: true) } }
    }

    private func indices(_ indices: [Int], where isMatch: (UnsafeBufferPointer<UInt8>) -> Bool) -> [Int] {
        bytes.withUnsafeBufferPointer { bytes in
            indices.filter { isMatch(.init(rebasing: bytes[($0 == 0 ? 0 : bounds[$0 - 1])..<bounds[$0]])) }
        }
    }

    private static func contains(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, atWord: Bool = false) -> Bool {
        var start = 0
        while start <= text.count - word.count {
            if text[start] == word[0], word.indices.allSatisfy({ text[start + $0] == word[$0] }),
                !atWord || start == 0 || !isLetter(text[start - 1])
            {
                return true
            }
            start += 1
        }
        return false
    }

    fileprivate static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || byte &- 0x61 < 26 || byte &- 0x30 < 10 }
}

/// Letters that a text has in this order, each one later in a word or first in a later word: "cptok" is short for "copy an
/// access token".
private struct Abbreviation {
    /// For each byte, the places in the abbreviation that it fills: bit 1 is the first.
    private var places = [UInt64](repeating: 0, count: 256)
    /// The bit of the last place; 0 if the abbreviation is too long for one.
    private let last: UInt64

    init(_ letters: [UInt8]) {
        last = letters.count < UInt64.bitWidth ? 1 << UInt64(letters.count) : 0
        for (index, letter) in letters.prefix(UInt64.bitWidth - 1).enumerated() {
            places[Int(letter)] |= 2 << UInt64(index)
        }
    }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // The filled places: by all words so far, and by those that end in the current word. Bit 0 is the beginning.
        var (all, inWord): (UInt64, UInt64) = (1, 0)
        var isInWord = false
        for byte in text {
            let filled = places[Int(byte)]
            let isLetter = SearchTexts.isLetter(byte)
            inWord = isLetter && isInWord ? inWord | (inWord << 1) & filled : (all << 1) & filled
            all |= inWord
            isInWord = isLetter
        }
        return all & last != 0
    }
}

extension Array {
    /// The elements whose text matches a search.
    /// - Parameter isExact: whether the text must contain the words, not only what they abbreviate.
    func matching(_ search: String, isExact: Bool = false, text: (Element) -> String) -> [Element] {
        guard search.contains(where: { $0 != " " }) else { return self }
        let all = Array<Int>(indices)
        let texts = SearchTexts(self) { $1(text($0)) }
        return texts.matches(of: search, among: all, orElse: isExact ? [] : all).map { self[$0] }
    }
}
