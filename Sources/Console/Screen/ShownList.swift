import TerminalUI

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
