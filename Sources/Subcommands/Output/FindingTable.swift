import Console
import Diagnosis
import JSON
import MSAL
import TerminalUI

/// Findings as lines: verdict, subject and fact, with the fix below.
struct FindingTable {
    private struct Row {
        var verdict: (word: String, mark: String, style: Style)
        var subject: String
        var fact: String
        var fix: String?
    }

    private var rows: [Row]
    private var collapsesSpaces = false

    init(findings: [CheckFinding]) {
        rows = findings.map {
            Row(
                verdict: ($0.verdict.rawValue, $0.verdict.mark(.unicode), $0.verdict.style), subject: $0.subject,
                fact: $0.fact, fix: $0.fix)
        }
    }

    /// The checks of a token.
    init(verdicts: [MSALIDTokenVerdict]) {
        rows = verdicts.map {
            Row(
                verdict: ($0.outcome.rawValue, $0.outcome.mark(.unicode), $0.outcome.style), subject: $0.rule,
                fact: $0.explanation)
        }
        collapsesSpaces = true
    }

    func text(_ look: OutputLook) -> String {
        let marks = rows.map { look.theme == nil ? $0.verdict.word : $0.verdict.mark }
        let table = TextTable(
            rows: zip(marks, rows).map { [$0, $1.subject, $1.fact] }, indent: "  ", collapsesSpaces: collapsesSpaces)
        let (lines, column) = table.lines(columns: look.columns)
        return zip(zip(marks, rows), lines).map { cells, lines in
            let (mark, row) = cells
            let first = lines.prefix(1).map { look.painted($0, mark, row.verdict.style) }
            let start = String(repeating: " ", count: column) + "→ "
            let fix = row.fix.map { look.hang(Printable.sanitize($0), after: start) } ?? ""
            return (first + lines.dropFirst()).map { "\($0)\n" }.joined() + fix
        }.joined()
    }
}

extension CheckFinding {
    var json: JSONValue {
        JSONValue(members: [
            "subject": .string(subject), "verdict": .string(verdict.rawValue), "fact": .string(fact),
            "fix": fix.map(JSONValue.string),
        ])
    }
}
