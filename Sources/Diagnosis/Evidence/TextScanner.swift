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

    /// Calls `found` for each occurrence, with the pattern's index, the range and the line number. Returns the number of
    /// lines.
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
