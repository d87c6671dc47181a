package enum Alignment: Sendable, Hashable { case leading, trailing }

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
        let blank = String(repeating: " ", count: max(0, width - DisplayWidth.of(shown)))
        return alignment == .trailing ? blank + shown : shown + blank
    }

    /// `text` wrapped to lines of at most `width` columns, at spaces if possible. Keeps its own line breaks.
    /// - Parameter breaksWords: whether to break a word that is wider than `width`, or to let it stick out.
    package static func wrap(_ text: String, to width: Int, breaksWords: Bool = true) -> [String] {
        guard width > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { wrapLine($0, to: width, breaksWords) }
    }

    /// `text` after `start`, wrapped to lines of at most `width` columns, which continue below the text. Words stay whole. Where
    /// little room is left beside `start`, the lines continue at its indent.
    /// - Parameter step: how much further the other lines are indented than the first one.
    package static func hang(_ text: String, after start: String, to width: Int, step: Int = 0) -> [String] {
        let column = DisplayWidth.of(start)
        if column + DisplayWidth.of(text) <= width { return [start + text] }
        guard width - column >= leastRoom else { return wrap(start + text, to: max(1, width), breaksWords: false) }
        let blank = String(repeating: " ", count: column + step)
        let lines = wrap(text, to: width - column - step, breaksWords: false)
        return lines.prefix(1).map { start + $0 } + lines.dropFirst().map { blank + $0 }
    }

    /// The columns beside which wrapped text is readable.
    package static let leastRoom = 30

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
