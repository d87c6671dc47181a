/// Names and values in two columns. Long values wrap in their column.
package struct KeyValueBlock: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var name: String
        package var value: String
        package var style: Style

        package init(_ name: String, _ value: String, style: Style = .text) {
            self.name = name
            self.value = value
            self.style = style
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// The block in lines of `width` columns. Names take up to a third of it.
    package func lines(width: Int, glyphs: Glyphs = .unicode) -> [StyledLine] {
        let longest = entries.map { DisplayWidth.of($0.name) }.max() ?? 0
        let nameWidth = min(longest, max(1, width / 3))
        return entries.flatMap { lines(of: $0, nameWidth: nameWidth, width: width, glyphs: glyphs) }
    }

    private func lines(of entry: Entry, nameWidth: Int, width: Int, glyphs: Glyphs) -> [StyledLine] {
        let gap = "  "
        let values = TextFitting.wrap(entry.value, to: max(1, width - nameWidth - gap.count))
        return values.enumerated().map { row, value in
            let name = TextFitting.fit(row == 0 ? entry.name : "", to: nameWidth, ellipsis: glyphs.ellipsis)
            return StyledLine([Span(name + gap, .muted), Span(value, entry.style)])
        }
    }
}
