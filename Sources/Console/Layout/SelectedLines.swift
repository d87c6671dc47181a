import TerminalUI

/// Lines of which one is selected, scrolled so that it is seen. Headings stand between the rows that can be.
struct SelectedLines {
    private static let margin = 2

    private var lines: [StyledLine] = []
    private var selected = 0
    /// The columns that the lines have.
    private let width: Int
    private let glyphs: Glyphs

    /// - Parameter width: of the rectangle to draw in.
    init(width: Int, glyphs: Glyphs) {
        self.width = width - Self.margin
        self.glyphs = glyphs
    }

    /// Sets itself off from what stands above it.
    mutating func appendHeading(_ line: StyledLine) {
        if !lines.isEmpty { lines.append(.empty) }
        lines.append(line)
    }

    mutating func appendHeading(_ cells: [Span], _ columns: [TableColumn]) { appendHeading(line(cells, columns)) }

    mutating func append(_ cells: [Span], _ columns: [TableColumn], isSelected: Bool) {
        if isSelected { selected = lines.count }
        lines.append(line(cells, columns))
    }

    func draw(on surface: inout Surface, in rect: Rect) {
        let window = ListWindow(count: lines.count, selected: selected, height: rect.height)
        for index in window.rows {
            let row = rect.row(index - window.rows.lowerBound)
            surface.writeLine(lines[index], in: row.splitLeft(Self.margin).rest)
            guard index == selected else { continue }
            surface.write(surface.glyphs.pointer, at: row.origin)
            surface.restyle(row, style: .selection)
            surface.cursor = Surface.Cursor(row.origin, isVisible: false)
        }
    }

    private func line(_ cells: [Span], _ columns: [TableColumn]) -> StyledLine {
        var spans: [Span] = []
        var x = 0
        for placement in TableLayout(columns, width: width).placements {
            spans.append(Span(String(repeating: " ", count: placement.x - x)))
            let cell = cells[placement.column]
            let text = Printable.sanitize(cell.text)
            spans.append(Span(TextFitting.fit(text, to: placement.width, ellipsis: glyphs.ellipsis), cell.style))
            x = placement.x + placement.width
        }
        return StyledLine(spans)
    }
}
