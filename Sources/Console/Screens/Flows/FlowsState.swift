import TerminalUI

extension Destination {
    /// - Parameter shown: the flow to select.
    static func flows(_ shown: EffectID? = nil) -> Destination {
        Destination { context in
            let index = context.traces.all.reversed().enumerated().first { $0.element.id == shown }?.offset
            return Opening(FlowsState(pane: ListPane(selection: index ?? 0)))
        }
    }
}

struct FlowsState: ViewedScreen {
    static var howToOpen: String { "List the flows with \(Verb.history.label)." }
    enum Layer: String, KeyLayer { case all = "Flows" }

    static let cover = Cover.watching

    var pane = ListPane()

    private static let columns = [
        TableColumn("TIME", minimum: 8, ideal: 8, priority: 0),
        TableColumn("FLOW", minimum: 16, ideal: 36, priority: 0, grows: true),
        TableColumn("REQUESTS", minimum: 8, ideal: 8, priority: 2),
        TableColumn("OUTCOME", minimum: 10, ideal: 40, priority: 1, grows: true),
    ]

    func rows(_ context: Context) -> [FlowTrace] { context.traces.all.reversed() }
    func place(_ context: Context) -> String { pane.place(of: context.traces.all.count) }

    func view(_ context: Context) -> SelectedLines {
        var lines = SelectedLines(pane, width: context.frame.body.width, glyphs: context.glyphs)
        lines.appendHeading(Self.columns)
        for trace in rows(context) {
            let style: Style =
                switch trace.ending {
                case .succeeded: .success
                case .failed: .danger
                case .cancelled, nil: .muted
                }
            let local = trace.startDate.map { Moment.local($0, in: context.options.timeZone) }
            let time = local.map { String($0.dropFirst(11).prefix(8)) } ?? context.glyphs.dash
            let cells = [Span(time, .muted), Span(trace.title), Span("\(trace.exchanges.count)")]
            lines.append(cells + [Span(trace.endingWords, style)], Self.columns)
        }
        return lines
    }

    static let commands: [Command] =
        [
            Command(
                "openFlow", [.enter] + .verb(.inspect), "Inspect the selected flow.", hint: "inspect", inLines: .row,
                if: { Availability($0.selected($1) != nil, else: "No flows yet.") }
            ) { state, context in state.selected(context).map { .open(.inspector($0.id, row: 0)) } ?? .none }
        ] + moving() + finding() + leaving("Close this view; running flows continue.")

    func lines(_ context: Context) -> [String] {
        ["\(Moment.count(context.traces.all.count, "flow")), newest first:"] + rowLines(context)
    }

    func label(_ trace: FlowTrace, _ context: Context) -> String {
        "\(trace.title), \(Moment.count(trace.exchanges.count, "request")): \(trace.endingWords)"
    }
}
