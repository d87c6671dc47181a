extension StyledLine {
    /// Names and values in two columns, without empty entries. Names take up to a third of the width, and long values wrap in
    /// their column.
    package static func facts(_ entries: [(name: String, value: String?)], width: Int, glyphs: Glyphs) -> [StyledLine] {
        let given = entries.filter { $0.value?.isEmpty == false }
        let nameWidth = min(given.map { DisplayWidth.of($0.name) }.max() ?? 0, max(1, width / 3))
        let gap = "  "
        return given.flatMap { entry in
            let values = TextFitting.wrap(entry.value ?? "", to: max(1, width - nameWidth - gap.count))
            return values.enumerated().map { row, value in
                let name = TextFitting.fit(row == 0 ? entry.name : "", to: nameWidth, ellipsis: glyphs.ellipsis)
                return StyledLine([Span(name + gap, .muted), Span(value)])
            }
        }
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
