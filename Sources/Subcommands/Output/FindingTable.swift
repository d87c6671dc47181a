import Diagnosis
import JSON
import TerminalUI

/// Findings as lines: verdict, subject and fact, with the fix below.
struct FindingTable {
    var findings: [CheckFinding]

    var text: String {
        let words = findings.map { $0.verdict.rawValue }
        let subjects = findings.map { Printable.sanitize($0.subject) }
        let widths = (words.map(DisplayWidth.of).max() ?? 0, subjects.map(DisplayWidth.of).max() ?? 0)
        return zip(findings, zip(words, subjects)).map { finding, cells in
            let (word, subject) = cells
            let start = "  \(Self.padded(word, widths.0))  \(Self.padded(subject, widths.1))  "
            let indent = String(repeating: " ", count: DisplayWidth.of(start))
            let fix = finding.fix.map { "\(indent)→ \(Printable.sanitize($0))\n" } ?? ""
            return start + Printable.sanitize(finding.fact) + "\n" + fix
        }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
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
