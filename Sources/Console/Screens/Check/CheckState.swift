import Diagnosis
import TerminalUI

package struct CheckState: ViewedScreen, CopyingScreen, WorkingScreen {
    /// The running check; earlier findings stay visible until it ends.
    package var running: EffectID?
    package var report: CheckReport?
    var pane = ListPane()

    package struct Row: Sendable, Equatable {
        package var area: CheckReport.Area
        package var finding: CheckFinding
    }

    package var rows: [Row] {
        (report?.sections ?? []).flatMap { section in section.findings.map { Row(area: section.area, finding: $0) } }
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
        guard case .checked(let report) = result else { return .none }
        self.report = report
        let verdicts = rows.map(\.finding.verdict)
        selection = verdicts.firstIndex(of: .failed) ?? verdicts.firstIndex(of: .warning) ?? 0
        return .none
    }

    func copyable(_ context: Context) -> CopiedText? {
        report.map { report in
            let text = (lines(context) + [report.summary]).joined(separator: "\n") + "\n"
            return CopiedText("the findings", fileName: "check.txt", text)
        }
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

/// One row per finding, grouped by area; beside or below, the selected finding with its fix.
struct CheckView: ListView {
    private static let columns = [
        TableColumn("", minimum: 9, ideal: 9, priority: 0),
        TableColumn("", minimum: 16, ideal: 24, priority: 0),
        TableColumn("", minimum: 30, ideal: 60, priority: 1, grows: true),
    ]
    private static let heightForDetails = 9

    let state: CheckState
    @Boxed var context: Context

    private func areas(in body: Rect) -> (summary: Rect, list: Rect, rule: Rect, details: Rect) {
        let (summary, main) = body.splitTop(1)
        let showsDetails = !state.rows.isEmpty && body.height >= Self.heightForDetails
        let parts = context.splitDetails(main, rows: showsDetails ? max(4, min(7, body.height / 3)) : 0)
        return (summary, parts.list, parts.rule, parts.details)
    }

    func shown(in body: Rect) -> ShownList? {
        let rect = areas(in: body).list
        return state.rows.isEmpty ? nil : list(width: rect.width).shown(in: rect)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        surface.writeLine(summary.text, in: areas.summary, style: summary.style)
        guard !state.rows.isEmpty else { return }
        list(width: areas.list.width).draw(on: &surface, in: areas.list)
        guard !areas.details.isEmpty else { return }
        surface.drawRule(in: areas.rule)
        ScrollingText(details(width: areas.details.width - 2)).draw(on: &surface, in: areas.details)
    }

    private var summary: (text: String, style: Style) {
        if state.running != nil { return ("\(context.spinnerFrame) Checking the set-up.", .muted) }
        guard let report = state.report, !state.rows.isEmpty else { return ("Nothing to check.", .muted) }
        let worst = report.findings.worst
        return ("\(worst.mark(context.glyphs)) \(report.summary)", worst.style)
    }

    private func list(width: Int) -> SelectedLines {
        var lines = SelectedLines(state.pane, width: width, glyphs: context.glyphs)
        var area: CheckReport.Area?
        for row in state.rows {
            if row.area != area { lines.appendHeading(StyledLine(row.area.title, Style(.title, .bold))) }
            area = row.area
            lines.append(cells(row.finding), Self.columns)
        }
        return lines
    }

    private func cells(_ finding: CheckFinding) -> [Span] {
        [
            Span("\(finding.verdict.mark(context.glyphs)) \(finding.verdict.rawValue)", finding.verdict.style),
            Span(finding.subject), Span(finding.fact, .muted),
        ]
    }

    private func details(width: Int) -> [StyledLine] {
        guard let finding = state.selected(context)?.finding else { return [] }
        let title = StyledLine([
            Span(finding.subject, Style(.text, .bold)),
            Span("  \(finding.verdict.mark(context.glyphs)) \(finding.verdict.rawValue)", finding.verdict.style),
        ])
        // The fix comes first: a small window may cut off the rest, which begins in the list anyway.
        return [title] + StyledLine.facts([("Fix", finding.fix)], width: width, glyphs: context.glyphs)
            + StyledLine.wrap(Printable.sanitize(finding.fact), to: width, style: .muted)
    }
}
