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

    var text: String {
        let sections = sections.map { "\($0.area.title)\n" + FindingTable(findings: $0.findings).text }
        return (sections + [summary + "\n"]).joined(separator: "\n")
    }
}
