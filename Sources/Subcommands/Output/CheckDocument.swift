import Diagnosis
import JSON

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
