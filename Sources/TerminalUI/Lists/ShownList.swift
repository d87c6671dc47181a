package struct ShownList {
    package let area: Rect
    /// The first visible line, counting headings.
    package let first: Int
    /// The row on each visible line; nil for a heading.
    package let rows: [Int?]

    package init(area: Rect, first: Int, rows: [Int?]) { (self.area, self.first, self.rows) = (area, first, rows) }

    /// - Parameter row: the row of a table line; nil for a heading.
    package init(_ table: Table, in rect: Rect, row: (_ line: Int) -> Int? = { $0 }) {
        let (body, lines) = table.place(in: rect)
        self.init(area: body, first: lines.lowerBound, rows: lines.map(row))
    }

    package func row(at point: Point) -> Int? { area.contains(point) ? rows[at: point.y - area.minY] ?? nil : nil }
}

/// What draws a list, and tells where its rows are.
package protocol ListView {
    func draw(on surface: inout Surface, in body: Rect)
    func shown(in body: Rect) -> ShownList?
}

extension Table: ListView {
    package func shown(in body: Rect) -> ShownList? { ShownList(self, in: body) }
}

extension SelectedLines: ListView {}
