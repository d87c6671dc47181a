extension Surface {
    /// Draws a frame just inside `rect`, with `title` in its top edge. Leaves the interior unchanged.
    package mutating func drawBox(_ rect: Rect, title: String = "", style: Style = .border, titleStyle: Style = .title)
    {
        guard rect.width >= 2, rect.height >= 2 else { return }
        let edge = String(repeating: glyphs.horizontal, count: rect.width - 2)
        write(glyphs.topLeft + edge + glyphs.topRight, at: rect.origin, style: style)
        for y in rect.minY + 1..<rect.maxY - 1 {
            write(glyphs.vertical, at: Point(x: rect.minX, y: y), style: style)
            write(glyphs.vertical, at: Point(x: rect.maxX - 1, y: y), style: style)
        }
        write(glyphs.bottomLeft + edge + glyphs.bottomRight, at: Point(x: rect.minX, y: rect.maxY - 1), style: style)
        guard !title.isEmpty, rect.width > 6 else { return }
        let shown = TextFitting.truncate(title, to: rect.width - 6, ellipsis: glyphs.ellipsis)
        write(" \(shown) ", at: Point(x: rect.minX + 2, y: rect.minY), style: titleStyle)
    }

    /// Draws a rule in the first row of `rect`, if it has one.
    package mutating func drawRule(in rect: Rect, style: Style = .border) {
        guard !rect.isEmpty else { return }
        write(String(repeating: glyphs.horizontal, count: rect.width), at: rect.origin, style: style)
    }

    /// Writes `text` in the row of `rect`, truncated with an ellipsis and aligned.
    /// - Returns: the column after the last written one.
    @discardableResult
    package mutating func writeLine(
        _ text: String, in rect: Rect, alignment: Alignment = .leading, style: Style = .text
    ) -> Int {
        guard !rect.isEmpty else { return rect.minX }
        let shown = TextFitting.truncate(text, to: rect.width, ellipsis: glyphs.ellipsis)
        let room = rect.width - DisplayWidth.of(shown)
        let before =
            switch alignment {
            case .leading: 0
            case .trailing: room
            case .center: room / 2
            }
        return write(shown, at: Point(x: rect.minX + before, y: rect.minY), in: rect, style: style)
    }
}
