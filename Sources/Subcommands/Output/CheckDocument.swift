import Diagnosis

/// The report of `check` as text and JSON. New members can appear; existing ones are stable.
struct CheckDocument: Encodable {
    var summary: String
    /// The worst verdict.
    var verdict: CheckFinding.Verdict
    var sections: [Section]

    private var report: CheckReport

    struct Section: Encodable {
        var area: CheckReport.Area
        var findings: [FindingDocument]
    }

    private enum CodingKeys: CodingKey {
        case summary, verdict, sections
    }

    init(report: CheckReport) {
        self.report = report
        summary = report.summary
        verdict = report.findings.worst
        sections = report.sections.map { Section(area: $0.area, findings: $0.findings.map(FindingDocument.init)) }
    }

    var text: String {
        let sections = report.sections.map { "\($0.area.title)\n" + FindingTable(findings: $0.findings).text }
        return (sections + [summary + "\n"]).joined(separator: "\n")
    }
}
