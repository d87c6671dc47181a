/// The bottom row: key hints.
package struct StatusLine: Sendable, Hashable {
    package struct Hint: Sendable, Hashable {
        package var key, label: String

        package init(_ key: String, _ label: String) { (self.key, self.label) = (key, label) }

        fileprivate var spans: [Span] { [Span(key, .key), Span(" " + label, .muted)] }
    }

    /// The hints, most useful first. The last ones are omitted if space is short.
    package var hints: [Hint]
    /// The hints that always stay, at the right.
    package var lasting: [Hint]

    package init(hints: [Hint] = [], lasting: [Hint] = [Hint("?", "help")]) {
        (self.hints, self.lasting) = (hints, lasting)
    }

    private static let gap = 2

    package func draw(on surface: inout Surface, in rect: Rect) {
        let areas = areas(in: rect, ellipsis: surface.glyphs.ellipsis)
        surface.writeLine(StyledLine(joined(lasting)), in: areas.lasting)
        guard !areas.hints.isEmpty else { return }
        surface.writeLine(StyledLine(hintSpans(areas.count, ellipsis: surface.glyphs.ellipsis)), in: areas.hints)
    }

    /// The index of the hint at a point of the screen, for a line drawn in `rect`. The lasting ones follow the others.
    package func index(at point: Point, in rect: Rect, glyphs: Glyphs) -> Int? {
        let areas = areas(in: rect, ellipsis: glyphs.ellipsis)
        if areas.lasting.contains(point) {
            return index(in: lasting, at: point.x - areas.lasting.minX).map { hints.count + $0 }
        }
        guard areas.hints.contains(point) else { return nil }
        return index(in: Array(hints.prefix(areas.count)), at: point.x - areas.hints.minX)
    }

    private func index(in hints: [Hint], at column: Int) -> Int? {
        Rect.index(at: column, of: hints.map { StyledLine($0.spans).width }, gap: Self.gap)
    }

    /// A mark replaces the hints beyond `count`.
    private func areas(in rect: Rect, ellipsis: String) -> (hints: Rect, lasting: Rect, count: Int) {
        let (rest, lasting) = rect.row(0).splitRight(StyledLine(joined(lasting)).width)
        let hints = rest.splitRight(Self.gap).rest
        // Nil if not even the mark fits.
        let count = (0...self.hints.count).last { StyledLine(hintSpans($0, ellipsis: ellipsis)).width <= hints.width }
        return (count == nil ? .zero : hints, lasting, count ?? 0)
    }

    private func hintSpans(_ count: Int, ellipsis: String) -> [Span] {
        let shown = joined(Array(hints.prefix(count)))
        if count == hints.count { return shown }
        let mark = Span(ellipsis, .muted)
        return shown.isEmpty ? [mark] : shown + [Span(" "), mark]
    }

    private func joined(_ hints: [Hint]) -> [Span] {
        Array(hints.map(\.spans).joined(separator: [Span(String(repeating: " ", count: Self.gap))]))
    }
}
