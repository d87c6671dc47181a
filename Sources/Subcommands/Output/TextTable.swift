import TerminalUI

/// Rows in aligned columns, safe to print.
struct TextTable: Equatable {
    var rows: [[String]]
    var indent = ""
    var gap = 2

    var text: String {
        let rows = rows.map { $0.map { Printable.cell($0) } }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : nil }.max() ?? 0
        }
        return rows.map { line($0, widths) + "\n" }.joined()
    }

    /// Doesn't pad the last cell.
    private func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).dropLast().map { cell, width in
            cell + String(repeating: " ", count: width - DisplayWidth.of(cell) + gap)
        }
        return indent + cells.joined() + (row.last ?? "")
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
