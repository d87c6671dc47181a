import Diagnosis
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
        let parts = context.splitDetails(main, rows: wanted)
        return (summary, parts.list, parts.rule, parts.details)
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
        return ScrollingText(row.details(width - ScrollingText.margin, context.glyphs), offset: state.detailsTop)
    }

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
        let status = row.status
        return [
            Span(trace.offset(of: row), .muted), Span(row.direction(context.glyphs), .accent), Span(row.title),
            Span(row.endpoint, .muted), Span(status.word, status.style),
            Span(row.duration(by: context.now).map(Moment.milliseconds) ?? "", .muted),
        ]
    }
}

/// One exchange: its parameters with their meanings, and the selected one's details below.
struct ExchangeView {
    private static let heightForDetails = 9

    let list: ParameterList
    let opened: InspectorState.Opened
    @Boxed var context: Context

    private func areas(in body: Rect) -> (address: Rect, list: Rect, rule: Rect, details: Rect) {
        let (address, main) = body.splitTop(body.height >= 12 ? 2 : 0)
        // A revealed value gets half of the screen.
        let share = opened.isRevealed ? body.height / 2 : max(5, min(8, body.height / 3))
        let (list, below) = main.splitBottom(body.height >= Self.heightForDetails ? share + 1 : 4)
        return (address, list, below.splitTop(1).top, below.splitTop(1).rest)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        let exchange = list.exchange
        let status = exchange.status.map { " \(context.glyphs.separator) \($0)" } ?? ""
        surface.writeLine("\(exchange.method) \(exchange.address)\(status)", in: areas.address.row(0), style: .muted)
        surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false)
        guard !list.all.isEmpty else {
            ScrollingText.fitting(areas.list, lines: bareLines).draw(on: &surface, in: areas.list)
            return
        }
        parameters(width: areas.list.width).draw(on: &surface, in: areas.list)
        surface.drawRule(in: areas.rule)
        details(width: areas.details.width).draw(on: &surface, in: areas.details)
    }

    private func details(width: Int) -> ScrollingText {
        ScrollingText(detailLines(width: width - ScrollingText.margin), offset: opened.detailsTop)
    }

    var detailsPlace: DetailsPlace {
        let area = areas(in: context.frame.body).details
        return DetailsPlace(details(width: area.width), in: area)
    }

    private func bareLines(width: Int) -> [StyledLine] {
        let failure = list.exchange.failure.map {
            StyledLine.wrap("\(context.glyphs.cross) \($0)", to: width, style: .danger) + [.empty]
        }
        return (failure ?? []) + StyledLine.wrap("No parameters.", to: width, style: .muted)
    }

    var shown: ShownList? {
        let rect = areas(in: context.frame.body).list
        return list.all.isEmpty ? nil : parameters(width: rect.width).shown(in: rect)
    }

    private func parameters(width: Int) -> SelectedLines {
        var lines = SelectedLines(opened.pane, width: width, glyphs: context.glyphs)
        for section in list.sections {
            let columns = Self.columns(section.title)
            lines.appendHeading(columns)
            for parameter in section.parameters { lines.append(cells(parameter), columns) }
        }
        return lines
    }

    private static func columns(_ title: String) -> [TableColumn] {
        [
            TableColumn(title, minimum: 14, ideal: 24, priority: 0),
            TableColumn("VALUE", minimum: 20, ideal: 40, priority: 0, grows: true),
            TableColumn("MEANING", minimum: 26, ideal: 50, priority: 1, grows: true),
        ]
    }

    private func cells(_ parameter: MSALFlowParameter) -> [Span] {
        [
            Span(parameter.name, .accent), Span(parameter.shown, parameter.isRedacted ? .muted : .text),
            Span(ParameterDictionary.bundled.entry(for: parameter)?.meaning ?? "", .muted),
        ]
    }

    private func detailLines(width: Int) -> [StyledLine] {
        guard let parameter = list.all[at: opened.selection] else { return [] }
        let meaning = ParameterDictionary.bundled.entry(for: parameter)
        let title = StyledLine([
            Span(Printable.sanitize(parameter.name), Style(.accent, .bold)),
            Span(meaning.map { "  \($0.source)" } ?? "", .muted),
        ])
        let unknown = "Unknown parameter: not in OAuth, OpenID Connect or Entra documentation."
        return [title] + StyledLine.wrap(meaning?.meaning ?? unknown, to: width, style: .muted)
            + value(of: parameter, width: width)
    }

    private func value(of parameter: MSALFlowParameter, width: Int) -> [StyledLine] {
        guard parameter.isRedacted else { return StyledLine.wrap(parameter.shown, to: width) }
        guard opened.isRevealed else {
            return StyledLine.wrap("\(parameter.shown). Press \(Verb.secret.label) to show it.", to: width)
        }
        return StyledLine.wrap(
            "Anyone who sees this value can use it. Leave the row to hide it.", to: width, style: .warning)
            + StyledLine.wrap(Printable.sanitize(parameter.reveal()), to: width)
    }
}

extension TraceRow {
    func details(_ width: Int, _ glyphs: Glyphs) -> [StyledLine] {
        switch self {
        case .exchange(let exchange): Self.lines(of: exchange, width: width, glyphs)
        case .step(let step, _):
            [StyledLine(step.step.title, Style(.accent, .bold))]
                + ([step.detail] + step.remarks).filter { !$0.isEmpty }.flatMap { StyledLine.wrap($0, to: width) }
        }
    }

    private static func lines(of exchange: MSALFlowExchange, width: Int, _ glyphs: Glyphs) -> [StyledLine] {
        let meaning = ParameterDictionary.bundled.entry(for: exchange.role)
        let title = StyledLine([
            Span(exchange.role.title, Style(.accent, .bold)), Span(meaning.map { "  \($0.source)" } ?? "", .muted),
        ])
        let paragraphs: [(String?, Style)] = [
            (exchange.address, .link), (result(exchange, glyphs), .text), (exchange.failure, .danger),
            (meaning?.meaning, .muted), (exchange.direction.sentence, .muted),
        ]
        return [title]
            + paragraphs.flatMap { text, style in text.map { StyledLine.wrap($0, to: width, style: style) } ?? [] }
            + ParameterList(exchange).sections.flatMap { section in
                let facts = section.parameters.map { (name: $0.name, value: Optional($0.shown)) }
                return [.empty, StyledLine(section.title, Style(.muted, .bold))]
                    + StyledLine.facts(facts, width: width, glyphs: glyphs)
            }
    }

    private static func result(_ exchange: MSALFlowExchange, _ glyphs: Glyphs) -> String {
        let secrets = exchange.parameters.count { $0.isRedacted }
        let parts = [
            exchange.method, exchange.status.map { "status \($0)" }, exchange.mediaType,
            exchange.responseSize > 0 ? "\(exchange.responseSize) bytes" : nil,
            Moment.count(exchange.parameters.count, "parameter"), secrets > 0 ? "\(secrets) redacted" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " \(glyphs.separator) ")
    }

    package var title: String {
        switch self {
        case .exchange(let exchange): exchange.role.title
        case .step(let step, _): step.step.title
        }
    }

    /// Host and path of an exchange, or a step's detail.
    package var endpoint: String {
        switch self {
        case .exchange(let exchange):
            let address = exchange.address
            return address.range(of: "://").map { String(address[$0.upperBound...]) } ?? address
        case .step(let step, _): return step.detail
        }
    }

    /// The duration in seconds; nil if the row has none, or if it's still running and `now` is nil.
    package func duration(by now: Date?) -> TimeInterval? {
        switch self {
        case .exchange(let exchange): exchange.direction.isDirect ? exchange.duration : nil
        case .step(let step, _): step.duration(by: now)
        }
    }

    typealias Status = (word: String, style: Style)

    var status: Status {
        switch self {
        case .exchange(let exchange): exchange.statusShown
        case .step(let step, _):
            switch step.state {
            case .pending, .running: ("running", .accent)
            case .succeeded: ("done", .success)
            case .failed: (step.endedAt == nil ? "stopped" : "failed", .danger)
            }
        }
    }

    /// Arrows for request, response or both, in two columns.
    func direction(_ glyphs: Glyphs) -> String {
        switch exchange?.direction {
        case .backChannel, .resource: glyphs.arrowRight + glyphs.arrowLeft
        case .frontChannelRequest: glyphs.arrowRight
        case .frontChannelResponse: glyphs.arrowLeft
        case nil: glyphs.pending
        }
    }
}

extension MSALFlowExchange {
    fileprivate var statusShown: TraceRow.Status {
        switch direction {
        case .frontChannelRequest: ("created", .text)
        case .frontChannelResponse:
            parameters.contains { $0.name == "error" } ? ("error", .danger) : ("arrived", .success)
        case .backChannel, .resource:
            status.map { ("\($0)", (200..<300).contains($0) ? .success : .danger) } ?? ("failed", .danger)
        }
    }
}
