/// The blocks that a message quotes: the fenced ones of Markdown, and a file in a diff with its changes applied.
enum QuotedBlocks {
    static func all(in bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count <= Explainer.maximumLength, let text = String(validating: bytes, as: UTF8.self) else {
            return []
        }
        let whole = lines(text)
        let blocks = fenced(whole)
        let sources = blocks + [text] + ([whole] + blocks.map(lines)).compactMap(changed)
        return sources.flatMap { [$0, completed($0)] }.compactMap(\.self).map { Array($0.utf8) }
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
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

    /// A property list around keys alone. Documents write placeholders for the bundle identifier.
    private static func completed(_ block: String) -> String? {
        guard !block.contains("<plist"), let start = block.firstRange(of: "<key>")?.lowerBound,
            block.contains("CFBundleURLSchemes") || block.contains("LSApplicationQueriesSchemes")
        else { return nil }
        var keys = block[start...]
        // A diff or document ends anywhere.
        if let last = keys.ranges(of: "<key>").last, keys[last.upperBound...].ranges(of: ">").count < 2 {
            keys = keys[..<last.lowerBound]
        }
        if let end = keys.ranges(of: "</").last, let close = keys[end.upperBound...].firstIndex(of: ">") {
            keys = keys[...close]
        }
        let text = String(keys).replacing(
            #/msauth\.(?:\[[^\]\n]*\]|<[a-z.]+>)<\/string>/#, with: "msauth.\(setting)</string>")
        // Documents show the inner array alone. Behind the last end of one, each start would search the whole rest.
        let end = text.ranges(of: "</array>").last?.upperBound ?? text.startIndex
        let types =
            text.contains("CFBundleURLTypes")
            ? text[...]
            : text[..<end].replacing(#/<key>CFBundleURLSchemes<\/key>\s*<array>[^\0]*?<\/array>/#) { match in
                "<key>CFBundleURLTypes</key><array><dict>\(match.output)</dict></array>"
            } + text[end...]
        let scheme = text.firstMatch(of: #/msauth\.(?<bundle>[A-Za-z0-9.$()_-]+)<\/string>/#)?.bundle ?? setting[...]
        let identifier =
            text.contains("CFBundleIdentifier") ? "" : "<key>CFBundleIdentifier</key><string>\(scheme)</string>"
        return "<plist version=\"1.0\"><dict>\(identifier)\(types)</dict></plist>"
    }

    private static let setting = "$(PRODUCT_BUNDLE_IDENTIFIER)"
}
