import TerminalUI

/// A scrolling list of lines with headings and one selected row.
struct SelectedLines {
    private static let margin = 2

    private var lines: [StyledLine] = []
    /// The row on each line; nil for a heading.
    private var rows: [Int?] = []
    private var selected = 0
    /// The width of the lines.
    private let width: Int
    private let glyphs: Glyphs
    /// The previous scroll offset.
    private let top: Int

    /// - Parameter width: the width of the rectangle to draw in.
    init(width: Int, context: Context) {
        self.width = width - Self.margin
        glyphs = context.glyphs
        top = context.listTop
    }

    /// Appends a heading, with a blank line before it.
    mutating func appendHeading(_ line: StyledLine) {
        if !lines.isEmpty { append(.empty, row: nil) }
        append(line, row: nil)
    }

    mutating func appendHeading(_ cells: [Span], _ columns: [TableColumn]) { appendHeading(line(cells, columns)) }

    mutating func append(_ cells: [Span], _ columns: [TableColumn], isSelected: Bool) {
        if isSelected { selected = lines.count }
        append(line(cells, columns), row: rows.count { $0 != nil })
    }

    private mutating func append(_ line: StyledLine, row: Int?) {
        lines.append(line)
        rows.append(row)
    }

    /// The visible lines. A heading stays visible with the row below it.
    private func window(height: Int) -> ListWindow {
        let heading = rows[..<selected].lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
        return ListWindow(
            count: lines.count, selected: selected, height: height, previousOffset: min(top, heading))
    }

    func shown(in rect: Rect) -> ShownList {
        let lines = window(height: rect.height).rows
        return ShownList(area: rect, first: lines.lowerBound, rows: Array(rows[lines]))
    }

    func draw(on surface: inout Surface, in rect: Rect) {
        let window = window(height: rect.height)
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
        var before: Style?
        for placement in TableLayout(columns, width: width).placements {
            let cell = cells[placement.column]
            // The same gap as in a table.
            spans.append(
                Span(String(repeating: " ", count: placement.x - x), before == cell.style ? cell.style : .text))
            before = cell.style
            let text = Printable.sanitize(cell.text)
            spans.append(Span(TextFitting.fit(text, to: placement.width, ellipsis: glyphs.ellipsis), cell.style))
            x = placement.x + placement.width
        }
        return StyledLine(spans)
    }
}

/// A list on the screen: its area and its visible lines.
struct ShownList {
    let area: Rect
    /// The first visible line, counting headings.
    let first: Int
    /// The row on each visible line; nil for a heading.
    let rows: [Int?]

    init(area: Rect, first: Int, rows: [Int?]) {
        self.area = area
        self.first = first
        self.rows = rows
    }

    /// - Parameter row: the row of a table line; nil for a heading.
    init(_ table: Table, in rect: Rect, row: (_ line: Int) -> Int? = { $0 }) {
        let (body, lines) = table.place(in: rect)
        self.init(area: body, first: lines.lowerBound, rows: lines.map(row))
    }

    func row(at point: Point) -> Int? {
        let line = point.y - area.minY
        return area.contains(point) && rows.indices.contains(line) ? rows[line] : nil
    }
}
