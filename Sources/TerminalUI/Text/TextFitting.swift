/// The alignment of text in its columns.
package enum Alignment: Sendable, Hashable {
    case leading, trailing, center
}

/// Truncates, pads and wraps text by display width. Never splits grapheme clusters.
package enum TextFitting {
    /// The longest prefix of `text` within `width` columns, ending in `ellipsis` if truncated.
    package static func truncate(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        guard DisplayWidth.of(text) > width else { return text }
        let mark = DisplayWidth.of(ellipsis) <= width ? ellipsis : ""
        return prefix(text, of: width - DisplayWidth.of(mark)) + mark
    }

    /// The start and the end of `text` within `width` columns, with `ellipsis` between them.
    package static func truncateMiddle(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        let room = width - DisplayWidth.of(ellipsis)
        guard DisplayWidth.of(text) > width, room >= 2 else { return truncate(text, to: width, ellipsis: ellipsis) }
        let tail = String(prefix(String(text.reversed()), of: room / 2).reversed())
        return prefix(text, of: room - DisplayWidth.of(tail)) + ellipsis + tail
    }

    /// `text` in exactly `width` columns: truncated, or padded with spaces.
    package static func fit(
        _ text: String, to width: Int, alignment: Alignment = .leading, ellipsis: String = "…"
    ) -> String {
        let shown = truncate(text, to: width, ellipsis: ellipsis)
        let room = max(0, width - DisplayWidth.of(shown))
        let before =
            switch alignment {
            case .leading: 0
            case .trailing: room
            case .center: room / 2
            }
        return String(repeating: " ", count: before) + shown + String(repeating: " ", count: room - before)
    }

    /// `text` wrapped to lines of at most `width` columns, at spaces if possible. Keeps its own line breaks.
    /// - Parameter breaksWords: whether to break a word that is wider than `width`, or to let it stick out.
    package static func wrap(_ text: String, to width: Int, breaksWords: Bool = true) -> [String] {
        guard width > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { wrapLine($0, to: width, breaksWords) }
    }

    static func prefix(_ text: some StringProtocol, of width: Int) -> String {
        var room = width
        return String(
            text.prefix { character in
                room -= DisplayWidth.of(character)
                return room >= 0
            })
    }

    /// Wraps a line. A line that fits stays unchanged; otherwise runs of spaces collapse, except the indent.
    private static func wrapLine(_ line: Substring, to width: Int, _ breaksWords: Bool) -> [String] {
        if DisplayWidth.of(line) <= width { return [String(line)] }
        let indent = String(line.prefix { $0 == " " }.prefix(width / 2))
        var lines: [String] = []
        var current = indent
        var isBlank = true
        for word in line.split(separator: " ") {
            let gap = isBlank ? "" : " "
            if DisplayWidth.of(current) + gap.count + DisplayWidth.of(word) <= width {
                current += gap + word
            } else {
                if !isBlank { lines.append(current) }
                let pieces = breaksWords ? chop(word, to: width - indent.count) : [String(word)]
                lines += pieces.dropLast().map { indent + $0 }
                current = indent + (pieces.last ?? "")
            }
            isBlank = false
        }
        return lines + [current]
    }

    /// A word in pieces of at most `width` columns. A wider cluster is its own piece, which the surface clips.
    private static func chop(_ word: Substring, to width: Int) -> [String] {
        var pieces: [String] = []
        var rest = word
        while !rest.isEmpty {
            let piece = prefix(rest, of: width)
            let taken = piece.isEmpty ? String(rest.prefix(1)) : piece
            pieces.append(taken)
            rest = rest.dropFirst(taken.count)
        }
        return pieces
    }
}
