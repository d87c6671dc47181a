import TerminalUI

extension Destination {
    static let scenarios = Destination(ScenariosState())
}

extension ScenariosState: ConsoleScreen {
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
