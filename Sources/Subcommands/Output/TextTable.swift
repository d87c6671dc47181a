import Console
import Diagnosis
import JSON
import MSAL
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

enum OutputFormat: String, Sendable, CaseIterable {
    case table, json

    static let option = Option("output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue))

    init(_ options: ParsedOptions) {
        // The parser accepts only the choices.
        self = options[Self.option].flatMap(Self.init) ?? .table
    }
}

/// How a command's text looks on a stream: whole lines with words, or on a terminal wrapped, with marks in colour.
struct OutputLook: Sendable, Equatable {
    /// The width of the terminal; `nil` elsewhere, where no line is wrapped.
    var columns: Int?
    /// The colours of the marks. Without colours, in ASCII and in a pipe it is `nil`, and words take their place.
    var theme: ColorTheme?

    /// Of a pipe or a file.
    static let plain = OutputLook()

    func painted(_ line: String, _ mark: String, _ style: Style) -> String {
        guard let theme else { return line }
        return line.replacing(mark, with: theme.text(mark, in: style), maxReplacements: 1)
    }

    /// A paragraph after `start`, with a hanging indent. Ends its line.
    func hang(_ text: String, after start: String = "", step: Int = 0) -> String {
        let lines = columns.map { TextFitting.hang(text, after: start, to: $0, step: step) } ?? [start + text]
        return lines.map { "\($0)\n" }.joined()
    }
}

struct FindingTable {
    var findings: [CheckFinding]
    /// For explanations with values of a token, which could look like several columns.
    var collapsesSpaces = false

    func text(_ look: OutputLook) -> String {
        let marks = findings.map { look.theme == nil ? $0.verdict.rawValue : $0.verdict.mark(.unicode) }
        let table = TextTable(
            rows: zip(marks, findings).map { [$0, $1.subject, $1.fact] }, indent: "  ", collapsesSpaces: collapsesSpaces
        )
        let (lines, column) = table.lines(columns: look.columns)
        return zip(zip(marks, findings), lines).map { cells, lines in
            let (mark, finding) = cells
            let first = lines.prefix(1).map { look.painted($0, mark, finding.verdict.style) }
            let start = String(repeating: " ", count: column) + "→ "
            let fix = finding.fix.map { look.hang(Printable.sanitize($0), after: start) } ?? ""
            return (first + lines.dropFirst()).map { "\($0)\n" }.joined() + fix
        }.joined()
    }
}

extension CheckFinding {
    /// - Parameter fix: if it failed.
    init(_ verdict: MSALIDTokenVerdict, fix: String? = nil) {
        let outcome = Verdict(rawValue: verdict.outcome.rawValue) ?? .skipped
        self.init(verdict.rule, outcome, verdict.explanation, fix: outcome == .failed ? fix : nil)
    }

    var json: JSONValue {
        JSONValue(members: [
            "subject": .string(subject), "verdict": .string(verdict.rawValue), "fact": .string(fact),
            "fix": fix.map(JSONValue.string),
        ])
    }
}

// The output of `check`. New members of the JSON can appear; existing ones are stable.
extension CheckReport {
    var json: JSONValue {
        [
            "summary": .string(summary),
            // The worst verdict.
            "verdict": .string(findings.worst.rawValue),
            "sections": .array(
                sections.map { ["area": .string($0.area.rawValue), "findings": .array($0.findings.map(\.json))] }),
        ]
    }

    func text(_ look: OutputLook) -> String {
        let sections = sections.map { "\($0.area.title)\n" + FindingTable(findings: $0.findings).text(look) }
        return (sections + [look.hang(summary)]).joined(separator: "\n")
    }
}
