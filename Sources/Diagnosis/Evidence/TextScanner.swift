import MSAL

/// Finds fixed texts in bytes in one pass, because a log can have 50 MB.
struct TextScanner: Sendable {
    private let patterns: [[UInt8]]
    /// For each pair of bytes the index in `chains`; 0 if no pattern starts with it.
    private let starts: [UInt16]
    private let chains: [[Int]]

    /// - Parameter patterns: texts of at least two bytes.
    init(_ patterns: [String]) {
        self.patterns = patterns.map { Array($0.utf8) }
        var starts = [UInt16](repeating: 0, count: 1 << 16)
        var chains: [[Int]] = [[]]
        for (index, pattern) in self.patterns.enumerated() where pattern.count > 1 {
            let pair = Self.pair(pattern[0], pattern[1])
            if starts[pair] == 0 {
                starts[pair] = UInt16(chains.count)
                chains.append([])
            }
            chains[Int(starts[pair])].append(index)
        }
        (self.starts, self.chains) = (starts, chains)
    }

    /// Returns the number of lines.
    func scan(_ bytes: [UInt8], found: (_ pattern: Int, _ range: Range<Int>, _ line: Int) -> Void) -> Int {
        var line = 1
        bytes.withUnsafeBufferPointer { bytes in
            starts.withUnsafeBufferPointer { starts in
                for index in bytes.indices.dropLast() {
                    if index & 0xFFFF == 0, Task.isCancelled { return }
                    let chain = starts[Self.pair(bytes[index], bytes[index + 1])]
                    if chain != 0 {
                        for pattern in chains[Int(chain)] {
                            let range = index..<index + patterns[pattern].count
                            if range.upperBound <= bytes.count, bytes[range].elementsEqual(patterns[pattern]) {
                                found(pattern, range, line)
                            }
                        }
                    }
                    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                }
            }
        }
        return bytes.isEmpty ? 0 : line
    }

    /// The end of the first occurrence of a text. `Collection.firstRange(of:)` takes seconds for a large file.
    static func upperBound(of text: String, in bytes: [UInt8]) -> Int? {
        let text = Array(text.utf8)
        guard let first = text.first, bytes.count >= text.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            (0...bytes.count - text.count).first { index in
                bytes[index] == first && bytes[index..<index + text.count].elementsEqual(text)
            }.map { $0 + text.count }
        }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) | Int(second) << 8 }
}

/// The lines of a text with one of some texts, and those after them that their reader wants: a log can have 50 MB.
struct MarkedLines {
    let scanner: TextScanner
    /// Of lines with a mark, and of lines read.
    let most: Int
    /// Longer lines contain data that nobody reads.
    static let longest = 64 * 1024

    /// - Parameter read: reads a line, and returns whether it wants the next one; `nil` to stop.
    func read(_ bytes: [UInt8], _ read: (_ line: String, _ number: Int) -> Bool?) {
        var marked: [Int] = []
        _ = scanner.scan(bytes) { _, _, line in if marked.last != line, marked.count < most { marked.append(line) } }
        var (number, start, count, rest, wantsNext) = (0, 0, 0, marked[...], false)
        while start <= bytes.endIndex, wantsNext || !rest.isEmpty, count < most, !Task.isCancelled {
            number += 1
            let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if wantsNext || number == rest.first {
                let line = String(decoding: bytes[start..<newline].prefix(Self.longest), as: UTF8.self)
                guard let wish = read(line.hasSuffix("\r") ? String(line.dropLast()) : line, number) else { return }
                (wantsNext, count) = (wish, count + 1)
            }
            if number == rest.first { rest.removeFirst() }
            start = newline + 1
        }
    }
}

/// Found in one pass. A regular expression would read the rest of a word from each of its letters: minutes for a picture in base64.
extension [UInt8] {
    /// Each URL whose scheme has a mark such as `://` after it, and at least one byte before a blank or one of the `ends`.
    func urls(with mark: String, upTo ends: String) -> [(start: Int, rest: Int, end: Int)] {
        // A no-break space begins with a byte that no URL contains.
        let (mark, ends) = (Array(mark.utf8), Set(ends.utf8).union([0xC2]))
        var (found, index): ([(start: Int, rest: Int, end: Int)], Int) = ([], 0)
        var word: Int?
        while index < count {
            if self[index] == UInt8(ascii: ":"), let start = word, self[index...].starts(with: mark) {
                let rest = index + mark.count
                let end = self[rest...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? count
                if end > rest {
                    found.append((start, rest, end))
                    (word, index) = (nil, end)
                    continue
                }
            }
            // RFC 3986 §3.1.
            let isPart =
                self[index].isASCIILetter || word != nil && (self[index].isDigit || "+-.".utf8.contains(self[index]))
            word = isPart ? word ?? index : nil
            index += 1
        }
        return found
    }
}

extension String {
    /// The URLs with a query or a fragment, without the punctuation of the text around it.
    var urlsWithParameters: [String] {
        let bytes = Array(utf8)
        return bytes.urls(with: ":/", upTo: "\"'<>`").compactMap { url in
            let isAfter = { (index: Int) in
                "\\)]}".utf8.contains(bytes[index]) || bytes[index...].starts(with: HiddenTexts.mark.utf8)
            }
            let mark = (url.rest..<url.end).dropLast().last { "?#".utf8.contains(bytes[$0]) && !isAfter($0 + 1) }
            return mark.map { mark in
                let end = (mark + 1..<url.end).first(where: isAfter) ?? url.end
                return String(decoding: bytes[url.start..<end], as: UTF8.self)
            }
        }
    }
}
