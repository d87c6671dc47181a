import TerminalUI

/// The scenario list.
package struct ScenariosState: Sendable, Equatable, ConsoleScreen {
    package var selection = 0
    /// The effect that opens a scenario, while it runs.
    package var opening: EffectID?

    package init() {}

    package enum Layer: String, KeyLayer { case all = "Scenarios" }

    var waits: [Wait] { opening.map { [Wait($0, .cancelAndSay)] } ?? [] }
    var showsWalk: Bool { false }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        ScenariosView(state: self, context: context).draw(on: &surface, in: rect)
    }

    private func scenarios(_ context: Context) -> [ScenarioSummary] { context.profile?.scenarios ?? [] }

    func extent(_ context: Context) -> Extent? {
        let view = ScenariosView(state: self, context: context)
        return Extent(
            position: selection, last: scenarios(context).count - 1, page: view.pageHeight, shown: view.shown)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        selection = max(0, min(position, scenarios(context).count - 1))
    }

    static let commands: [Command] =
        [
            Command(
                "startScenario", [.enter], "Start the selected scenario with an empty cache.", hint: "start",
                inLines: .row
            ) { state, context in
                let scenarios = state.scenarios(context)
                guard state.opening == nil, scenarios.indices.contains(state.selection) else { return .none }
                let id = context.makeEffectID()
                state.opening = id
                return .start(.openScenario(id, scenarios[state.selection].name))
            }
        ] + moving() + finding() + [back("Go back.", hint: "back"), close(closingCancels), interrupt]

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .scenarioOpened(_, let outcome) = message else { return .none }
        switch outcome {
        case .success(let profile): return .move(.begin(profile))
        case .failure(let report):
            self = ScenariosState()
            context.notice = Notice(.warning, "\(report.reason) \(report.advice)")
            return .none
        }
    }

    func lines(_ context: Context) -> [String] { ["Scenarios."] + rowLabels(context).map { "- \($0)" } }

    func rowLabels(_ context: Context) -> [String] { scenarios(context).map { "\($0.title): \($0.story)" } }
}

extension Destination {
    static let scenarios = Destination(ScenariosState())
}

/// The scenario list, with the selected one's story below.
struct ScenariosView {
    private static let columns = [
        TableColumn("SCENARIO", minimum: 20, ideal: 28, priority: 0),
        TableColumn("STORY", minimum: 20, ideal: 60, priority: 1, grows: true),
    ]

    let state: ScenariosState
    let context: Context

    private var scenarios: [ScenarioSummary] { context.profile?.scenarios ?? [] }

    private func areas(in body: Rect) -> (list: Rect, story: Rect) {
        // The list keeps at least half of the screen.
        let wanted = body.height >= 8 ? min(story(width: body.width).count, body.height / 2) : 0
        let (list, story) = body.splitBottom(wanted)
        return (list, story)
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body).list.height - 1) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        table.draw(on: &surface, in: areas.list)
        ScrollingText.fitting(areas.story, lines: story).draw(on: &surface, in: areas.story)
    }

    private var table: Table {
        Table(
            columns: Self.columns, count: scenarios.count, selected: state.selection, previousOffset: context.listTop
        ) { row in
            [Span(scenarios[row].title), Span(scenarios[row].story, .muted)]
        }
    }

    var shown: ShownList { ShownList(table, in: areas(in: context.frame.body).list) }

    private func story(width: Int) -> [StyledLine] {
        guard scenarios.indices.contains(state.selection) else { return [] }
        let story = scenarios[state.selection].story
        return [.empty]
            + StyledLine.wrap(state.opening == nil ? story : "Starting the authority.", to: max(1, width))
    }
}
