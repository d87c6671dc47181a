import Console
import Diagnosis
import JSON
import MSAL
import TerminalUI

/// Findings as lines: verdict, subject and fact, with the fix below.
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

extension FindingTable {
    /// The checks of a token.
    init(verdicts: [MSALIDTokenVerdict]) {
        self.init(findings: verdicts.map { CheckFinding($0) }, collapsesSpaces: true)
    }
}

extension CheckFinding {
    /// A check of a token.
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
                sections.map {
                    ["area": .string($0.area.rawValue), "findings": .array($0.findings.map(\.json))]
                }),
        ]
    }

    func text(_ look: OutputLook) -> String {
        let sections = sections.map { "\($0.area.title)\n" + FindingTable(findings: $0.findings).text(look) }
        return (sections + [look.hang(summary)]).joined(separator: "\n")
    }
}
