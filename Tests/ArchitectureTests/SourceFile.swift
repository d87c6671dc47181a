import Foundation

/// One source file of the package, as text and as bare code.
struct SourceFile: Sendable {
    /// Relative to the package root: `Sources/Console/Model.swift`.
    let path: String
    let text: String
    /// The text with the content of comments and string literals blanked, line for line.
    let code: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = blankingCommentsAndStrings(text)
    }

    /// The target it belongs to, which is the folder below `Sources/`.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Whether a comment is on line `index`, or on the line above it (attributes between them are skipped).
    func hasReason(at index: Int) -> Bool {
        let lines = lines
        if lines[index].contains("// ") { return true }
        var above = index - 1
        while above >= 0, lines[above].drop(while: \.isWhitespace).hasPrefix("@") { above -= 1 }
        return above >= 0 && lines[above].drop(while: \.isWhitespace).hasPrefix("//")
    }
}

/// The place of a violation.
struct Violation: CustomStringConvertible, Equatable {
    let path: String
    /// Counted from 1.
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): \(reason)" }
}
