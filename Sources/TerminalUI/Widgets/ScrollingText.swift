/// Scrollable lines, with marks in the last column if there are more lines above or below.
package struct ScrollingText: Sendable, Hashable {
    package var lines: [StyledLine]
    /// The first visible line. Too large values are limited to the text, for example after a resize.
    package var offset: Int

    package init(_ lines: [StyledLine], offset: Int = 0) { (self.lines, self.offset) = (lines, offset) }

    package static func wrapping(_ text: String, in rect: Rect, offset: Int = 0, style: Style = .text) -> ScrollingText
    {
        fitting(rect, offset: offset) { StyledLine.wrap(text, to: $0, style: style) }
    }

    /// Lines made for the width of `rect`, or a smaller width if they don't fit, to leave room for the marks.
    package static func fitting(_ rect: Rect, offset: Int = 0, lines: (_ width: Int) -> [StyledLine]) -> ScrollingText {
        let full = lines(rect.width)
        return ScrollingText(full.count <= rect.height ? full : lines(rect.width - margin), offset: offset)
    }

    package static let margin = 2

    package func lastOffset(height: Int) -> Int { max(0, lines.count - max(0, height)) }

    package func draw(on surface: inout Surface, in rect: Rect) {
        guard !rect.isEmpty else { return }
        let first = min(max(0, offset), lastOffset(height: rect.height))
        let shown = lines.dropFirst(first).prefix(rect.height)
        let overflows = lines.count > rect.height
        let text = overflows ? rect.splitRight(Self.margin).rest : rect
        for (row, line) in shown.enumerated() { surface.writeLine(line, in: text.row(row)) }
        guard overflows else { return }
        surface.drawMarks(above: first > 0, below: first + rect.height < lines.count, in: rect)
    }
}

extension Surface {
    package mutating func drawMarks(above: Bool, below: Bool, in rect: Rect) {
        let x = rect.maxX - 1
        if above { write(glyphs.arrowUp, at: Point(x: x, y: rect.minY), in: rect, style: .muted) }
        if below { write(glyphs.arrowDown, at: Point(x: x, y: rect.maxY - 1), in: rect, style: .muted) }
    }
}
