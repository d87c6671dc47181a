import Foundation
import MSAL
import TerminalUI

/// A flow step by step, with the selected step's details beside or below the list.
struct InspectorView {
    private static let heightForDetails = 9

    private static let columns = [
        TableColumn("AT", minimum: 8, ideal: 8, priority: 1, alignment: .trailing),
        TableColumn("", minimum: 2, ideal: 2, priority: 0),
        TableColumn("STEP", minimum: 16, ideal: 25, priority: 0),
        TableColumn("ENDPOINT", minimum: 18, ideal: 50, priority: 4, grows: true),
        TableColumn("STATUS", minimum: 7, ideal: 7, priority: 2),
        TableColumn("TOOK", minimum: 8, ideal: 8, priority: 3, alignment: .trailing),
    ]

    let trace: FlowTrace
    let state: InspectorState
    @Boxed var context: Context
    private let rows: [TraceRow]

    init(_ trace: FlowTrace, _ state: InspectorState, _ context: Context) {
        self.trace = trace
        self.state = state
        self.context = context
        rows = trace.rows
    }

    private func areas(in body: Rect) -> (summary: Rect, list: Rect, rule: Rect, details: Rect) {
        let (summary, main) = body.splitTop(body.height >= 12 ? 2 : 0)
        let wanted = body.height >= Self.heightForDetails ? max(4, min(8, body.height / 3)) : 0
        let (list, rule, details) = context.splitDetails(main, rows: wanted)
        return (summary, list, rule, details)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.writeLine(summary, in: areas.summary.row(0), style: .muted)
        surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false)
        table.draw(on: &surface, in: areas.list)
        guard rows.indices.contains(state.selection) else { return }
        surface.drawRule(in: areas.rule)
        details(width: areas.details.width).draw(on: &surface, in: areas.details)
    }

    private var table: Table {
        state.pane.table(
            Self.columns, count: rows.count,
            emptyText: state.trace(context)?.ending == nil ? "Nothing yet." : "This flow sent no requests.",
            row: { cells(rows[$0]) })
    }

    var shown: ShownList { ShownList(table, in: areas(in: context.frame.body).list) }

    private func details(width: Int) -> ScrollingText {
        guard let row = rows[at: state.selection] else { return ScrollingText([]) }
        let lines = row.details(width: width - ScrollingText.margin, context.glyphs)
        return ScrollingText(lines, offset: state.detailsTop)
    }

    /// The details pane.
    var detailsPlace: DetailsPlace {
        let area = areas(in: context.frame.body).details
        return DetailsPlace(details(width: area.width), in: area)
    }

    private var summary: String {
        let parts = [
            trace.title, trace.endingWords, trace.startDate.map(Moment.utc),
            trace.correlationID.map { "correlation ID \($0)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " \(context.glyphs.separator) ")
    }

    private func cells(_ row: TraceRow) -> [Span] {
        let offset = trace.startDate.map { row.startDate.timeIntervalSince($0) } ?? 0
        let status = row.status
        return [
            Span(Moment.offset(offset), .muted), Span(row.direction(context.glyphs), .accent), Span(row.title),
            Span(row.endpoint, .muted), Span(status.word, status.style),
            Span(row.duration(by: context.now).map(Moment.milliseconds) ?? "", .muted),
        ]
    }
}
