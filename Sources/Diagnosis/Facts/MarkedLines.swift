/// The lines of a text with one of some texts, and those after them that their reader wants: a log can have 50 MB.
struct MarkedLines {
    let scanner: TextScanner
    /// The most lines with a mark, and the most lines read.
    let most: Int
    /// Longer lines contain data that nobody reads.
    static let longest = 64 * 1024

    /// - Parameter read: reads a line, and returns whether it wants the next one; `nil` to stop.
    func read(_ bytes: [UInt8], _ read: (_ line: String, _ number: Int) -> Bool?) {
        var marked: [Int] = []
        _ = scanner.scan(bytes) { _, _, line in
            if marked.last != line, marked.count < most { marked.append(line) }
        }
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
