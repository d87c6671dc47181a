/// A scrolling list of lines with headings and one selected row.
package struct SelectedLines {
    private static let margin = 2

    /// A text, or cells in columns. Rows with the same columns are laid out together.
    private enum Line {
        case text(StyledLine), cells([Span], group: Int)
    }

    private var lines: [Line] = []
    /// The columns of each group, and the width of the widest cell in each column.
    private var groups: [(columns: [TableColumn], widths: [Int])] = []
    /// The row on each line; nil for a heading.
    private var rows: [Int?] = []
    private var count = 0
    private var selected = 0
    private let width: Int
    private let glyphs: Glyphs
    private let pane: ListPane

    package init(_ pane: ListPane, width: Int, glyphs: Glyphs) {
        (self.pane, self.width, self.glyphs) = (pane, width - Self.margin, glyphs)
    }

    /// Appends a heading, with a blank line before it.
    package mutating func appendHeading(_ line: StyledLine) { appendHeading(.text(line)) }

    package mutating func appendHeading(_ columns: [TableColumn]) {
        appendHeading(cells(columns.map { Span($0.title, Style(.muted, .bold)) }, columns))
    }

    private mutating func appendHeading(_ line: Line) {
        if !lines.isEmpty { append(.text(.empty), row: nil) }
        append(line, row: nil)
    }

    package mutating func append(_ cells: [Span], _ columns: [TableColumn]) {
        if count == pane.selection { selected = lines.count }
        append(self.cells(cells, columns), row: count)
        count += 1
    }

    private mutating func cells(_ cells: [Span], _ columns: [TableColumn]) -> Line {
        let known = groups.firstIndex { $0.columns == columns }
        let group = known ?? groups.count
        if known == nil { groups.append((columns, columns.map { _ in 0 })) }
        for (index, cell) in cells.enumerated() {
            groups[group].widths[index] = max(groups[group].widths[index], DisplayWidth.of(cell.text))
        }
        return .cells(cells, group: group)
    }

    private mutating func append(_ line: Line, row: Int?) {
        lines.append(line)
        rows.append(row)
    }

    /// The visible lines. A heading stays visible with the row below it.
    private func window(height: Int) -> ListWindow {
        let heading = rows[..<selected].lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
        return ListWindow(
            count: lines.count, selected: selected, height: height, previousOffset: min(pane.top, heading))
    }

    package func shown(in rect: Rect) -> ShownList? {
        let lines = window(height: rect.height).rows
        return ShownList(area: rect, first: lines.lowerBound, rows: Array(rows[lines]))
    }

    package func draw(on surface: inout Surface, in rect: Rect) {
        let window = window(height: rect.height)
        let layouts = groups.map { group in
            TableLayout(zip(group.columns, group.widths).map { $0.fitting($1) }, width: width)
        }
        for index in window.rows {
            let row = rect.row(index - window.rows.lowerBound)
            let line =
                switch lines[index] {
                case .text(let line): line
                case .cells(let cells, let group): self.line(cells, layouts[group])
                }
            surface.writeLine(line, in: row.splitLeft(Self.margin).rest)
            if index == selected { surface.select(row) }
        }
    }

    private func line(_ cells: [Span], _ layout: TableLayout) -> StyledLine {
        var spans: [Span] = []
        var x = 0
        var before: Style?
        for placement in layout.placements {
            let cell = cells[placement.column]
            let text = Printable.sanitize(cell.text)
            let edge = placement == layout.placements.last ? width : placement.x + placement.width
            spans.append(
                Span(String(repeating: " ", count: max(0, placement.x - x)), before == cell.style ? cell.style : .text))
            before = cell.style
            let shown = TextFitting.truncate(text, to: max(0, edge - placement.x), ellipsis: glyphs.ellipsis)
            spans.append(Span(shown, cell.style))
            x = placement.x + DisplayWidth.of(shown)
        }
        return StyledLine(spans)
    }
}
