import Diagnosis
import TerminalUI

/// The check screen: a running set-up check, or its findings.
package struct CheckState: ViewedScreen, CopyingScreen, WorkingScreen {
    /// The running check; earlier findings stay visible until it ends.
    package var running: EffectID?
    package var report: CheckReport?
    /// The findings of all areas.
    var pane = ListPane()

    /// A finding with its area.
    package struct Row: Sendable, Equatable {
        package var area: CheckReport.Area
        package var finding: CheckFinding
    }

    package var rows: [Row] {
        (report?.sections ?? []).flatMap { section in section.findings.map { Row(area: section.area, finding: $0) } }
    }

    /// Stores the findings and selects the first failure, or else the first warning.
    private mutating func show(_ report: CheckReport) {
        self.report = report
        let verdicts = rows.map(\.finding.verdict)
        selection = verdicts.firstIndex(of: .failed) ?? verdicts.firstIndex(of: .warning) ?? 0
    }

    static var howToOpen: String { "Check the set-up with \(Verb.check.label)." }
    package enum Layer: String, KeyLayer { case all = "Check" }

    func rows(_ context: Context) -> [Row] { rows }
    func place(_ context: Context) -> String { pane.place(of: rows.count) }

    func view(_ context: Context) -> CheckView { CheckView(state: self, context: context) }

    static let commands: [Command] =
        [
            Command(
                "check", .verb(.again) + .verb(.check) + [.function(5)], "Run the checks again.", hint: "again",
                if: { state, _ in Availability(state.running == nil, else: "The checks are running.") }
            ) { $0.start(.check($1.profile), &$1) },
            copy("Copy all findings to the clipboard."), saveCopy(), report(hint: "report"), zoom,
        ] + moving() + finding() + leaving()

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .checked(let report) = result { show(report) }
        return .none
    }

    /// All findings as text, to share with support.
    func copyable(_ context: Context) -> CopiedText? {
        guard let report else { return nil }
        let lines = report.sections.flatMap { section in
            [section.area.title]
                + section.findings.map { finding in
                    [
                        "  \(finding.verdict.rawValue): \(finding.subject): \(finding.fact)",
                        finding.fix.map { "    \($0)" },
                    ]
                    .compactMap(\.self).joined(separator: "\n")
                }
        }
        return CopiedText(
            "the findings", fileName: "check.txt", (lines + [report.summary]).joined(separator: "\n") + "\n")
    }

    func lines(_ context: Context) -> [String] {
        ["Set-up check."]
            + rows.map { row in
                "- \(row.area.title), \(row.finding.subject): \(row.finding.verdict.rawValue). \(row.finding.sentences)"
            }
    }

    func label(_ row: Row, _ context: Context) -> String { "\(row.finding.subject): \(row.finding.verdict.rawValue)" }
}

extension Destination {
    static let check = Destination(CheckState()) { .check($0.profile) }
}
