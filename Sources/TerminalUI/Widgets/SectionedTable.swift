/// Rows in sections, each under its own column titles, one row of all of them selected.
package struct SectionedTable {
    package struct Section {
        package var columns: [TableColumn]
        /// The cells of each row, one for each column.
        package var rows: [[Span]]

        package init(_ columns: [TableColumn], rows: [[Span]]) {
            self.columns = columns
            self.rows = rows
        }
    }

    package var sections: [Section]
    /// Counted over the rows of all sections.
    package var selected: Int
    package var hasFocus: Bool

    package init(_ sections: [Section], selected: Int, hasFocus: Bool = true) {
        self.sections = sections.filter { !$0.rows.isEmpty }
        self.selected = selected
        self.hasFocus = hasFocus
    }

    /// Columns for the pointer before a row.
    private static let margin = 2

    private enum Line {
        case blank
        case titles(Int)
        case row(section: Int, row: Int)
    }

    package func draw(on surface: inout Surface, in rect: Rect) {
        let (lines, selected) = lines
        let window = ListWindow(count: lines.count, selected: selected, height: rect.height)
        for index in window.rows {
            let area = rect.row(index - window.rows.lowerBound)
            draw(lines[index], on: &surface, in: area)
            if index == selected { mark(area, on: &surface) }
        }
    }

    /// All lines, titles included, and which of them is the selected row.
    private var lines: (lines: [Line], selected: Int) {
        var lines: [Line] = []
        var selectedLine = 0
        var count = 0
        for (number, section) in sections.enumerated() {
            lines += number == 0 ? [.titles(number)] : [.blank, .titles(number)]
            for row in section.rows.indices {
                if count == selected { selectedLine = lines.count }
                lines.append(.row(section: number, row: row))
                count += 1
            }
        }
        return (lines, selectedLine)
    }

    private func draw(_ line: Line, on surface: inout Surface, in area: Rect) {
        switch line {
        case .blank: return
        case .titles(let number):
            let columns = sections[number].columns
            draw(columns.map { Span($0.title, Style(.muted, .bold)) }, columns, on: &surface, in: area)
        case .row(let section, let row):
            draw(sections[section].rows[row], sections[section].columns, on: &surface, in: area)
        }
    }

    private func draw(_ cells: [Span], _ columns: [TableColumn], on surface: inout Surface, in row: Rect) {
        for placement in TableLayout(columns, width: row.width - Self.margin).placements {
            let area = Rect(
                x: row.minX + Self.margin + placement.x, y: row.minY, width: placement.width, height: row.height)
            let cell = cells[placement.column]
            surface.writeLine(
                cell.text, in: area.intersection(row), alignment: columns[placement.column].alignment,
                style: cell.style)
        }
    }

    private func mark(_ row: Rect, on surface: inout Surface) {
        surface.write(surface.glyphs.pointer, at: row.origin, in: row)
        surface.restyle(row, style: hasFocus ? .selection : Style(.text, .bold))
        if hasFocus { surface.cursor = Surface.Cursor(row.origin, isVisible: false) }
    }
}
