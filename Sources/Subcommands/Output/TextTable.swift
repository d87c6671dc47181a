import TerminalUI

/// Rows in aligned columns, safe to print.
struct TextTable: Equatable {
    var rows: [[String]]
    var indent = ""
    var gap = 2
    /// The widest cell before the last one that makes its column as wide, on a terminal. What follows a wider cell goes below it.
    var widestTerm = 36
    /// Whether runs of spaces collapse, so that a cell can't look like several columns.
    var collapsesSpaces = true

    var text: String { text(columns: nil) }

    /// - Parameter columns: the width of the terminal, to which the last cells are wrapped; `nil` for a line per row.
    func text(columns: Int?) -> String { lines(columns: columns).rows.flatMap(\.self).map { "\($0)\n" }.joined() }

    /// The lines of each row, and the column at which the last cells begin.
    func lines(columns: Int?) -> (rows: [[String]], last: Int) {
        let rows = rows.map { $0.map { collapsesSpaces ? Printable.cell($0) : Printable.sanitize($0) } }
        let widths = widths(of: rows, upTo: columns == nil ? .max : widestTerm)
        let last = indent.count + widths.dropLast().reduce(0) { $0 + $1 + gap }
        guard let columns else { return (rows.map { [start($0, widths) + ($0.last ?? "")] }, last) }
        let isNarrow = columns - last < min(TextFitting.leastRoom, widths.last ?? 0)
        let below = isNarrow ? min(last, indent.count + Self.step) : last
        return (rows.map { wrapped($0, widths, at: below, to: columns) }, below)
    }

    /// The indent of last cells that go below the others.
    private static let step = 4

    /// The width of each column, without the cells that are wider than `limit`. The last column is as wide as its widest cell.
    private func widths(of rows: [[String]], upTo limit: Int) -> [Int] {
        let columns = rows.map(\.count).max() ?? 0
        return (0..<columns).map { column in
            let cells = rows.compactMap { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : nil }
            return cells.filter { $0 <= limit || column == columns - 1 }.max() ?? 0
        }
    }

    /// All cells but the last one, padded.
    private func start(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).dropLast().map { cell, width in
            cell + String(repeating: " ", count: max(0, width - DisplayWidth.of(cell)) + gap)
        }
        return indent + cells.joined()
    }

    private func wrapped(_ row: [String], _ widths: [Int], at column: Int, to columns: Int) -> [String] {
        let start = start(row, widths)
        let blank = String(repeating: " ", count: column)
        guard row.count > 1, DisplayWidth.of(start) > column else {
            return TextFitting.hang(row.last ?? "", after: start, to: columns)
        }
        let term = String(start.reversed().drop { $0 == " " }.reversed())
        return [term] + TextFitting.hang(row.last ?? "", after: blank, to: columns)
    }
}

/// The output format of most commands.
enum OutputFormat: String, Sendable, CaseIterable {
    case table, json

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue), standard: "table",
        elsewhere: elsewhere, "Output format")
    /// For every command whose output can be JSON.
    static let elsewhere = ["--json": "-o json", "--format": "--output", "--option": "--output"]

    init(_ options: ParsedOptions) {
        // The parser accepts only the choices.
        self = options[Self.option].flatMap(Self.init) ?? .table
    }
}
