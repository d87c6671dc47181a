/// A longer source file has more than one subject.
enum SizeRule {
    static let mostLines = 400

    static func violations(in file: SourceFile) -> [Violation] {
        let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
        guard count > mostLines else { return [] }
        return [
            Violation(
                path: file.path, line: count, reason: "\(count) lines, more than \(mostLines): split it by subject")
        ]
    }
}
