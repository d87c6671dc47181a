/// A table with one selected row. Requests only the visible rows.
package struct Table {
    package var columns: [TableColumn]
    package var count: Int
    /// The heading that replaces a row's cells; nil for a row with cells.
    package var heading: (Int) -> Span?
    package var row: (Int) -> [Span]
    package var selected: Int
    package var showsTitles: Bool
    /// The previous first row; see ``ListWindow``.
    package var previousOffset: Int
    package var emptyText: String

    package init(
        columns: [TableColumn], count: Int, selected: Int, showsTitles: Bool = true, previousOffset: Int = 0,
        emptyText: String = "", heading: @escaping (Int) -> Span? = { _ in nil }, row: @escaping (Int) -> [Span]
    ) {
        (self.columns, self.count, self.selected, self.showsTitles) = (columns, count, selected, showsTitles)
        (self.previousOffset, self.emptyText, self.heading, self.row) = (previousOffset, emptyText, heading, row)
    }

    /// The columns for the pointer.
    package static let margin = 2

    package func draw(on surface: inout Surface, in rect: Rect) {
        let layout = TableLayout(columns, width: rect.width - Self.margin)
        let (titles, body) = rect.splitTop(showsTitles ? 1 : 0)
        if showsTitles { draw(columns.map { Span($0.title, Style(.muted, .bold)) }, layout, on: &surface, in: titles) }
        guard count > 0 else {
            let area = body.splitLeft(Self.margin).rest
            ScrollingText.wrapping(emptyText, in: area, style: .muted).draw(on: &surface, in: area)
            surface.cursor = Surface.Cursor(area.origin, isVisible: false)
            return
        }
        let window = window(height: body.height)
        for index in window.rows {
            let area = body.row(index - window.rows.lowerBound)
            if let heading = heading(index) {
                surface.writeLine(heading.text, in: area.splitLeft(Self.margin).rest, style: heading.style)
                continue
            }
            draw(row(index), layout, on: &surface, in: area)
            if index == selected { surface.select(area) }
        }
    }

    package func place(in rect: Rect) -> (body: Rect, rows: Range<Int>) {
        let body = rect.splitTop(showsTitles ? 1 : 0).rest
        return (body, window(height: body.height).rows)
    }

    private func window(height: Int) -> ListWindow {
        ListWindow(count: count, selected: selected, height: height, previousOffset: previousOffset)
    }

    /// Draws a row. The gap between two cells of the same style has that style, which saves style changes.
    private func draw(_ cells: [Span], _ layout: TableLayout, on surface: inout Surface, in row: Rect) {
        var before: (edge: Int, style: Style)?
        for placement in layout.placements where cells.indices.contains(placement.column) {
            let area = Rect(
                x: row.minX + Self.margin + placement.x, y: row.minY, width: placement.width, height: row.height)
            let (cell, column) = (cells[placement.column], columns[placement.column])
            let text = Printable.cell(cell.text)
            let edge = surface.writeLine(
                column.keepsBothSides
                    ? TextFitting.truncateMiddle(text, to: area.width, ellipsis: surface.glyphs.ellipsis) : text,
                in: area.intersection(row), alignment: column.alignment, style: cell.style)
            if let before, before.style == cell.style {
                let gap = Rect(x: before.edge, y: row.minY, width: area.minX - before.edge, height: 1)
                surface.restyle(gap.intersection(row), style: cell.style)
            }
            before = (edge, cell.style)
        }
    }
}
