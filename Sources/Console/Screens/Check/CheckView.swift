import Diagnosis
import TerminalUI

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
        let (list, rule, details) = context.splitDetails(
            main, rows: showsDetails ? max(4, min(7, body.height / 3)) : 0)
        return (summary, list, rule, details)
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

    /// The overall result, or that the check is running.
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
