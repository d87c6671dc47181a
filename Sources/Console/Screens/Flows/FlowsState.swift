import TerminalUI

extension Destination {
    /// The flows of this session, the newest first.
    /// - Parameter shown: the flow to select.
    static func flows(_ shown: EffectID? = nil) -> Destination {
        Destination { context in
            let index = context.traces.all.reversed().enumerated().first { $0.element.id == shown }?.offset
            return Opening(FlowsState(selection: index ?? 0))
        }
    }
}

/// The list of the session's flows, to open one in the inspector.
struct FlowsState: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Flows" }

    static let cover = Cover.watching

    private(set) var selection = 0

    private static let columns = [
        TableColumn("TIME", minimum: 8, ideal: 8, priority: 0),
        TableColumn("FLOW", minimum: 16, ideal: 36, priority: 0, grows: true),
        TableColumn("REQUESTS", minimum: 8, ideal: 8, priority: 2),
        TableColumn("OUTCOME", minimum: 10, ideal: 40, priority: 1, grows: true),
    ]

    private func traces(_ context: Context) -> [FlowTrace] { context.traces.all.reversed() }

    private func selected(_ context: Context) -> FlowTrace? {
        let traces = traces(context)
        return traces.indices.contains(selection) ? traces[selection] : nil
    }

    func place(_ context: Context) -> String {
        StatusPlace.text(selection, of: context.traces.all.count)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        list(width: rect.width, context).draw(on: &surface, in: rect)
    }

    private func list(width: Int, _ context: Context) -> SelectedLines {
        var lines = SelectedLines(width: width, context: context)
        lines.appendHeading(Self.columns.map { Span($0.title, Style(.muted, .bold)) }, Self.columns)
        for (index, trace) in traces(context).enumerated() {
            let style: Style =
                switch trace.ending {
                case .succeeded: .success
                case .failed: .danger
                case .cancelled, nil: .muted
                }
            let time = trace.startDate.map {
                String(Moment.local($0, in: context.options.timeZone).dropFirst(11).prefix(8))
            }
            lines.append(
                [
                    Span(time ?? context.glyphs.dash, .muted), Span(trace.title), Span("\(trace.exchanges.count)"),
                    Span(trace.endingWords, style),
                ], Self.columns, isSelected: index == selection)
        }
        return lines
    }

    func extent(_ context: Context) -> Extent? {
        let body = context.frame.body
        return Extent(
            position: selection, last: context.traces.all.count - 1, page: max(1, body.height - 1),
            shown: list(width: body.width, context).shown(in: body))
    }

    mutating func go(to position: Int, _ context: inout Context) {
        selection = max(0, min(position, context.traces.all.count - 1))
    }

    static let commands: [Command] =
        [
            Command(
                "openFlow", [.enter, .character("f")], "Inspect the selected flow.", hint: "inspect", inLines: .row,
                if: { state, context in Availability(state.selected(context) != nil, else: "No flows yet.") }
            ) { state, context in state.selected(context).map { .open(.inspector($0.id, row: 0)) } ?? .none }
        ] + moving() + finding()
        + [
            walkOn(isHinted: false), back("Go back.", hint: "back"), close("Close this view; running flows continue."),
            interrupt,
        ]

    func lines(_ context: Context) -> [String] {
        ["\(Moment.count(context.traces.all.count, "flow")), newest first:"] + rowLabels(context).map { "- \($0)" }
    }

    func rowLabels(_ context: Context) -> [String] {
        traces(context).map { "\($0.title), \(Moment.count($0.exchanges.count, "request")): \($0.endingWords)" }
    }
}
