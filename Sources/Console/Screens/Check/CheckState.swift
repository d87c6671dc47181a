import Diagnosis

/// The check screen: a running set-up check, or its findings.
package struct CheckState: Sendable, Equatable {
    /// The running check; earlier findings stay visible until it ends.
    package var running: EffectID?
    package var report: CheckReport?
    /// The index of the selected finding across all areas.
    package var selection = 0

    /// A finding with its area.
    package struct Row: Sendable, Equatable {
        package var area: CheckReport.Area
        package var finding: CheckFinding
    }

    package var rows: [Row] {
        (report?.sections ?? []).flatMap { section in section.findings.map { Row(area: section.area, finding: $0) } }
    }

    /// Stores the findings and selects the first failure, or else the first warning.
    mutating func take(_ report: CheckReport) {
        running = nil
        self.report = report
        let verdicts = rows.map(\.finding.verdict)
        selection = verdicts.firstIndex(of: .failed) ?? verdicts.firstIndex(of: .warning) ?? 0
    }
}
