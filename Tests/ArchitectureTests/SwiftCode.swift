/// Swift source with comments and the content of string literals replaced by spaces, so that a rule sees only code.
/// Code in an interpolation stays. Line breaks stay, so line numbers match the source.
func blankingCommentsAndStrings(_ source: String) -> String {
    var scanner = SwiftCodeScanner(source)
    return scanner.run()
}

private struct SwiftCodeScanner {
    /// The contexts around the scanner's position, innermost last.
    private enum Context {
        /// Code of the file, or of an interpolation that is `depth` parentheses deep.
        case code(depth: Int)
        case string(hashes: Int, isMultiline: Bool)
        case lineComment
        case blockComment(depth: Int)
    }

    private let input: [UInt8]
    private var output: [UInt8] = []
    private var position = 0
    private var contexts: [Context] = [.code(depth: 0)]

    init(_ source: String) {
        input = Array(source.utf8)
        output.reserveCapacity(input.count)
    }

    mutating func run() -> String {
        while position < input.count {
            switch contexts[contexts.count - 1] {
            case .code(let depth): stepCode(depth: depth)
            case .string(let hashes, let isMultiline): stepString(hashes: hashes, isMultiline: isMultiline)
            case .lineComment: stepLineComment()
            case .blockComment(let depth): stepBlockComment(depth: depth)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Bytes with a special meaning in code, strings and comments.
    private static let significant = Set("/*\"#\\()\n".utf8)

    private mutating func stepCode(depth: Int) {
        if !Self.significant.contains(input[position]) {
            keep()
        } else if looking(at: "//") {
            contexts.append(.lineComment)
        } else if looking(at: "/*") {
            blank(2)
            contexts.append(.blockComment(depth: 1))
        } else if let (hashes, isMultiline) = openingQuote() {
            blank(hashes + (isMultiline ? 3 : 1))
            contexts.append(.string(hashes: hashes, isMultiline: isMultiline))
        } else if looking(at: "("), contexts.count > 1 {
            contexts[contexts.count - 1] = .code(depth: depth + 1)
            keep()
        } else if looking(at: ")"), contexts.count > 1 {
            if depth == 1 { contexts.removeLast() } else { contexts[contexts.count - 1] = .code(depth: depth - 1) }
            keep()
        } else {
            keep()
        }
    }

    private mutating func stepString(hashes: Int, isMultiline: Bool) {
        guard Self.significant.contains(input[position]) else { return blank(1) }
        let marks = String(repeating: "#", count: hashes)
        let closing = (isMultiline ? "\"\"\"" : "\"") + marks
        let escape = "\\" + marks
        if looking(at: escape + "(") {
            blank(escape.utf8.count)
            contexts.append(.code(depth: 0))
        } else if looking(at: escape) {
            blank(escape.utf8.count + 1)
        } else if looking(at: closing) {
            blank(closing.utf8.count)
            contexts.removeLast()
        } else if looking(at: "\n"), !isMultiline {
            contexts.removeLast()
        } else {
            blank(1)
        }
    }

    private mutating func stepLineComment() {
        if looking(at: "\n") { contexts.removeLast() } else { blank(1) }
    }

    private mutating func stepBlockComment(depth: Int) {
        if looking(at: "/*") {
            blank(2)
            contexts[contexts.count - 1] = .blockComment(depth: depth + 1)
        } else if looking(at: "*/") {
            blank(2)
            if depth == 1 {
                contexts.removeLast()
            } else {
                contexts[contexts.count - 1] = .blockComment(depth: depth - 1)
            }
        } else {
            blank(1)
        }
    }

    private func openingQuote() -> (hashes: Int, isMultiline: Bool)? {
        var end = position
        while end < input.count, input[end] == UInt8(ascii: "#") { end += 1 }
        guard end < input.count, input[end] == UInt8(ascii: "\"") else { return nil }
        let isMultiline = input.dropFirst(end).prefix(3).elementsEqual("\"\"\"".utf8)
        return (end - position, isMultiline)
    }

    private func looking(at text: String) -> Bool {
        input[position...].starts(with: text.utf8)
    }

    private mutating func keep() {
        output.append(input[position])
        position += 1
    }

    private mutating func blank(_ count: Int) {
        for byte in input[position...].prefix(count) {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position = min(position + count, input.count)
    }
}
