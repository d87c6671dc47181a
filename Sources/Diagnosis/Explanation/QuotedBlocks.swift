/// The blocks that a message quotes: the fenced ones of Markdown, and a file in a diff with its changes applied.
enum QuotedBlocks {
    static func all(in bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count <= Explainer.maximumLength, let text = String(validating: bytes, as: UTF8.self) else {
            return []
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return (fenced(lines) + [changed(lines)].compactMap(\.self)).flatMap { [$0, completed($0)] }.compactMap(\.self)
            .map { Array($0.utf8) }
    }

    /// CommonMark §4.5.
    private static func fenced(_ lines: [Substring]) -> [String] {
        var blocks: [String] = []
        var open: [Substring]?
        for line in lines {
            let isFence = line.drop(while: { $0 == " " }).hasPrefix("```")
            if isFence, let block = open {
                blocks.append(block.joined(separator: "\n"))
                open = nil
            } else if isFence {
                open = []
            } else {
                open?.append(line)
            }
        }
        return blocks
    }

    /// The new side of a diff; `nil` if there is none.
    private static func changed(_ lines: [Substring]) -> String? {
        guard lines.contains(where: { $0.hasPrefix("@@ ") }) else { return nil }
        return lines.filter { line in !["-", "@@", "+++", "diff ", "index "].contains(where: line.hasPrefix) }
            .map { ["+", " "].contains($0.first) ? $0.dropFirst() : $0 }.joined(separator: "\n")
    }

    /// A property list around keys alone.
    private static func completed(_ block: String) -> String? {
        let keys = block.drop(while: \.isWhitespace)
        guard keys.hasPrefix("<key>") else { return nil }
        return "<plist version=\"1.0\"><dict>\(keys)</dict></plist>"
    }
}
