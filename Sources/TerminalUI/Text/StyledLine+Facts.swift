extension StyledLine {
    /// Names and values in two columns, without empty entries.
    package static func facts(_ entries: [(name: String, value: String?)], width: Int, glyphs: Glyphs) -> [StyledLine] {
        let given = entries.compactMap { entry in
            entry.value.flatMap { $0.isEmpty ? nil : KeyValueBlock.Entry(entry.name, $0) }
        }
        return KeyValueBlock(given).lines(width: width, glyphs: glyphs)
    }

    /// Text with its own spacing: only lines that don't fit are wrapped.
    package static func preformatted(_ text: String, width: Int, style: Style = .text) -> [StyledLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
            DisplayWidth.of(line) <= width ? [StyledLine(line, style)] : wrap(line, to: width, style: style)
        }
    }

    /// The line indented by two columns.
    package var indented: StyledLine { StyledLine([Span("  ")] + spans) }
}
