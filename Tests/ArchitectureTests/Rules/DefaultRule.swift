/// No `default:` covers cases of the package's own enumerations: the compiler then lists every switch that a new case
/// affects.
enum DefaultRule {
    /// The cases of every enumeration in the files.
    static func enumerations(in files: [SourceFile]) -> [Set<String>] {
        files.flatMap { CaseReader($0.codeLines).enumerations }
    }

    static func violations(in file: SourceFile, enumerations: [Set<String>]) -> [Violation] {
        CaseReader(file.codeLines).defaults
            .filter { found in enumerations.contains { found.cases.isSubset(of: $0) } }
            .map {
                Violation(
                    path: file.path, line: $0.line,
                    reason:
                        "default replaces cases that can be listed, beside \($0.cases.sorted().joined(separator: ", "))"
                )
            }
    }
}

/// Reads enumerations and switches in code whose comments and strings are blanked.
private struct CaseReader {
    private(set) var enumerations: [Set<String>] = []
    /// Each `default:` beside patterns that are all cases of some enumeration.
    private(set) var defaults: [(line: Int, cases: Set<String>)] = []

    private struct Block {
        var kind: Substring
        var cases: Set<String> = []
        var defaultLine: Int?
        /// The patterns of a switch include one that is not an enumeration case.
        var isOpen = false
    }

    private var blocks: [Block] = []

    init(_ lines: [Substring]) {
        var index = 0
        while index < lines.count {
            let first = index
            var text = lines[index].drop(while: \.isWhitespace)
            let kind = blocks.last?.kind
            if let start = text.firstRange(of: "{ case ")?.lowerBound, text[..<start].contains("enum ") {
                let cases = text[start...].dropFirst(2).prefix { $0 != "}" }
                enumerations.append(Set(cases.afterCase.parts.map { String($0.name) }))
            }
            if kind == "enum" || kind == "switch", text.isCase {
                // A declaration ends with its parentheses, a pattern at its colon.
                while index + 1 < lines.count, kind == "enum" ? text.isUnfinished : text.endOfPattern == nil {
                    index += 1
                    text += lines[index]
                }
                if kind == "enum" { declare(text) } else { text = match(text) }
            } else if kind == "switch", text.hasPrefix("default:") {
                blocks[blocks.count - 1].defaultLine = first + 1
            }
            follow(text)
            index += 1
        }
    }

    private mutating func declare(_ text: Substring) {
        for part in text.afterCase.parts { blocks[blocks.count - 1].cases.insert(String(part.name)) }
    }

    /// Reads the patterns of a case, and returns the rest.
    private mutating func match(_ text: Substring) -> Substring {
        guard let end = text.endOfPattern else { return text }
        for part in text[..<end].afterCase.parts where part != "nil" {
            let elements = part.hasPrefix("(") ? part.dropFirst().dropLast().parts.filter { $0 != "_" } : [part]
            for element in elements {
                let pattern = element.hasPrefix("let .") ? element.dropFirst(4) : element
                if pattern.hasPrefix(".") {
                    blocks[blocks.count - 1].cases.insert(String(pattern.dropFirst().name))
                } else {
                    blocks[blocks.count - 1].isOpen = true
                }
            }
        }
        return text[end...]
    }

    /// Opens and closes the blocks for the braces in `text`.
    private mutating func follow(_ text: Substring) {
        var kind: Substring = ""
        for word in text.split(whereSeparator: { !$0.isLetter && $0 != "{" && $0 != "}" }) {
            for brace in word where brace == "{" || brace == "}" {
                if brace == "{" {
                    blocks.append(Block(kind: kind))
                    kind = ""
                } else if let block = blocks.popLast() {
                    close(block)
                }
            }
            if word == "enum" || word == "switch" { kind = word }
        }
    }

    private mutating func close(_ block: Block) {
        if block.kind == "enum", !block.cases.isEmpty { enumerations.append(block.cases) }
        if block.kind == "switch", let line = block.defaultLine, !block.isOpen, !block.cases.isEmpty {
            defaults.append((line, block.cases))
        }
    }
}

extension Substring {
    fileprivate var isCase: Bool { hasPrefix("case ") || hasPrefix("indirect case ") }

    fileprivate var afterCase: Substring { dropFirst(hasPrefix("indirect") ? 14 : 5) }

    fileprivate var isUnfinished: Bool {
        count { $0 == "(" } > count { $0 == ")" } || last { !$0.isWhitespace } == ","
    }

    /// The colon outside parentheses and brackets.
    fileprivate var endOfPattern: Index? {
        var depth = 0
        return indices.first { index in
            switch self[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            default: break
            }
            return depth == 0 && self[index] == ":"
        }
    }

    fileprivate var name: Substring { drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" } }

    /// The parts between commas outside parentheses, without conditions.
    fileprivate var parts: [Substring] {
        var parts: [Substring] = []
        var rest = self
        var depth = 0
        for index in indices {
            switch self[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "," where depth == 0:
                parts.append(self[rest.startIndex..<index])
                rest = self[self.index(after: index)...]
            default: break
            }
        }
        parts.append(rest)
        return parts.map { part in
            let end = part.firstRange(of: " where ")?.lowerBound ?? part.endIndex
            let pattern = part[..<end].drop(while: \.isWhitespace)
            return pattern[
                ..<(pattern.lastIndex { !$0.isWhitespace }.map { pattern.index(after: $0) } ?? pattern.endIndex)]
        }
    }
}
