import TerminalUI

/// A list as it is on the screen: where it stands, and which of its lines are in sight.
struct ShownList {
    let area: Rect
    /// The first line in sight, headings counted.
    let first: Int
    /// The row on each line in sight; nil: a heading.
    let rows: [Int?]

    init(area: Rect, first: Int, rows: [Int?]) {
        self.area = area
        self.first = first
        self.rows = rows
    }

    /// - Parameter row: which row a line of the table is; nil: a heading.
    init(_ table: Table, in rect: Rect, row: (_ line: Int) -> Int? = { $0 }) {
        let (body, lines) = table.place(in: rect)
        self.init(area: body, first: lines.lowerBound, rows: lines.map(row))
    }

    func row(at point: Point) -> Int? {
        let line = point.y - area.minY
        return area.contains(point) && rows.indices.contains(line) ? rows[line] : nil
    }
}
