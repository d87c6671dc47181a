import Diagnosis

/// The check screen: an examination that runs, or what it found.
package struct CheckState: Sendable, Equatable {
    /// The examination that runs; what an earlier one found stays until it ends.
    package var running: EffectID?
    package var report: CheckReport?
    /// The selected finding, counted over all areas.
    package var selection = 0

    package init(running: EffectID) { self.running = running }

    /// A finding under its area.
    package struct Row: Sendable, Equatable {
        package var area: CheckReport.Area
        package var finding: CheckFinding
    }

    package var rows: [Row] {
        (report?.sections ?? []).flatMap { section in section.findings.map { Row(area: section.area, finding: $0) } }
    }

    /// Takes what was found. What is wrong is looked at first.
    mutating func take(_ report: CheckReport) {
        running = nil
        self.report = report
        let verdicts = rows.map(\.finding.verdict)
        selection = verdicts.firstIndex(of: .wrong) ?? verdicts.firstIndex(of: .attention) ?? 0
    }
}
