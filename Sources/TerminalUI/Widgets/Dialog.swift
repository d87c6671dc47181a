package struct Dialog: Sendable, Hashable {
    package struct Button: Sendable, Hashable {
        package var label: String
        package var isDangerous: Bool

        package init(_ label: String, isDangerous: Bool = false) {
            (self.label, self.isDangerous) = (label, isDangerous)
        }
    }

    package var title, message: String
    package var buttons: [Button]
    package var focused, offset: Int

    package init(title: String, message: String, buttons: [Button], focused: Int = 0, offset: Int = 0) {
        (self.title, self.message, self.buttons) = (title, message, buttons)
        (self.focused, self.offset) = (focused, offset)
    }

    private static let widest = 60

    package func extent(in rect: Rect) -> (rows: Int, last: Int) {
        let body = areas(in: rect).body
        return (body.height, ScrollingText.wrapping(message, in: body).lastOffset(height: body.height))
    }

    /// In a low window, the message has most of the rows, and two of the buttons are visible.
    private func areas(in rect: Rect) -> (box: Rect, body: Rect, buttons: Rect, isStacked: Bool) {
        let width = min(Self.widest, rect.width)
        let isStacked = Self.width(labels(padding: "", pointer: " ")) > width - 4
        let lines = StyledLine.wrap(message, to: width - 4).count
        let wanted = isStacked ? buttons.count : 1
        let box = rect.centered(Size(width: width, height: min(rect.height, lines + 3 + wanted)))
        let inside = box.inset(horizontal: 2, vertical: 1)
        let rows = min(wanted, max(inside.height < 6 ? 1 : 2, inside.height - lines))
        let (body, area) = inside.splitBottom(rows)
        return (box, body, area, isStacked)
    }

    package func draw(on surface: inout Surface, in rect: Rect) {
        let areas = areas(in: rect)
        surface.fill(areas.box)
        surface.drawBox(areas.box, title: title)
        ScrollingText.wrapping(message, in: areas.body, offset: offset).draw(on: &surface, in: areas.body)
        if areas.isStacked {
            drawStacked(on: &surface, in: areas.buttons)
        } else {
            drawButtons(on: &surface, in: areas.buttons)
        }
    }

    /// Draws the buttons one below the other. If there are too few rows, the focused one is among those that are shown.
    private func drawStacked(on surface: inout Surface, in area: Rect) {
        let labels = labels(padding: "", pointer: surface.glyphs.pointer)
        let first = max(0, min(focused - area.height + 1, labels.count - area.height))
        surface.drawMarks(above: first > 0, below: first + area.height < labels.count, in: area)
        for (y, index) in labels.indices.dropFirst(first).prefix(area.height).enumerated() {
            let row = area.row(y)
            if index == focused {
                surface.cursor = Surface.Cursor(Point(x: row.minX + 1, y: row.minY), isVisible: false)
            }
            surface.write(labels[index], at: row.origin, in: row, style: style(index))
        }
    }

    /// Draws the buttons right-aligned, closer together if space is short.
    private func drawButtons(on surface: inout Surface, in row: Rect) {
        let roomy = labels(padding: " ", pointer: surface.glyphs.pointer)
        let fits = Self.width(roomy) <= row.width
        let labels = fits ? roomy : labels(padding: "", pointer: surface.glyphs.pointer)
        var x = max(row.minX, row.maxX - Self.width(labels))
        for (index, label) in labels.enumerated() {
            let start = Point(x: x, y: row.minY)
            if index == focused { surface.cursor = Surface.Cursor(Point(x: x + 1, y: row.minY), isVisible: false) }
            x = surface.write(label, at: start, in: row, style: style(index))
        }
    }

    private func labels(padding: String, pointer: String) -> [String] {
        buttons.enumerated().map { index, button in
            (index == focused ? " " + pointer : "  ") + "[\(padding)\(button.label)\(padding)]"
        }
    }

    private static func width(_ labels: [String]) -> Int { labels.map(DisplayWidth.of).reduce(0, +) }

    private func style(_ index: Int) -> Style {
        let style: Style = buttons[index].isDangerous ? .danger : .text
        return index == focused ? style.adding(.reverse) : style
    }
}
