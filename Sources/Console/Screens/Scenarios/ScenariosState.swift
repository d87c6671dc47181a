import TerminalUI

/// The list of scenarios, or of the authority's faults. Each opens as a walk.
package struct ScenariosState: ViewedScreen, WorkingScreen {
    package enum Kind: Sendable { case scenarios, faults }

    package let kind: Kind
    var pane: ListPane
    package var running: EffectID?

    package init(_ kind: Kind = .scenarios, selection: Int = 0) {
        (self.kind, pane) = (kind, ListPane(selection: selection))
    }

    package enum Layer: String, KeyLayer { case scenarios = "Scenarios", faults = "Faults", search = "Search the list" }

    package var layer: Layer { pane.isFiltering ? .search : list }
    private var list: Layer { kind == .faults ? .faults : .scenarios }

    func title(_ context: Context) -> String { list.rawValue }

    func place(_ context: Context) -> String { pane.place(of: rows(context).count) }

    func rows(_ context: Context) -> [ScenarioSummary] {
        Self.all(kind, context).matching(pane.filter.text) { "\($0.name) \($0.title) \($0.story)" }
    }

    fileprivate static func all(_ kind: Kind, _ context: Context) -> [ScenarioSummary] {
        (kind == .faults ? context.profile?.faults : context.profile?.scenarios) ?? []
    }

    func view(_ context: Context) -> ScenariosView { ScenariosView(state: self, context: context) }
    func label(_ entry: ScenarioSummary, _ context: Context) -> String { "\(entry.title): \(entry.story)" }

    static let commands: [Command] =
        [
            Command(
                "startScenario", [.enter], "Choose an entry, and start it with an empty cache.", hint: "start",
                inLines: .row, if: { $1.stillRemoving ?? .available }
            ) { state, context in
                guard state.running == nil, let entry = state.selected(context) else { return .none }
                return state.start(.openScenario(entry.name), &context)
            }
        ] + listing.only(in: .scenarios, .faults)
        + (upAndDown([.up], [.down]) + [back("End the search.", hint: "back")]).only(in: .search) + [interrupt]

    private static let listing: [Command] =
        [
            Command(
                "search", .verb(.search), "Search the list as you type.", hint: "search", inLines: .absent,
                do: changing { $0.pane.isFiltering = true })
        ] + moving() + finding() + [back("Go back.", hint: "back"), close(closingCancels)]

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .scenarioOpened(let outcome) = result else { return .none }
        switch outcome {
        case .success(let profile): return .move(.begin(profile, then: profile.walk.map { _ in .walk(nil) }))
        case .failure(let report):
            context.notice = Notice(.warning, "\(report.reason) \(report.screenAdvice)")
            return .none
        }
    }
}

extension Destination {
    /// The list, at the open scenario, or at the next one if it's complete.
    static func scenarios(_ kind: ScenariosState.Kind, _ context: Context) -> Destination {
        let name = context.nextScenario?.name ?? context.walk?.name
        let open = ScenariosState.all(kind, context).firstIndex { $0.name == name }
        return Destination(ScenariosState(kind, selection: open ?? 0))
    }
}

/// The list of titles, with the selected entry's story beside or below. A column of stories would cut them.
struct ScenariosView: ListView {
    let state: ScenariosState
    @Boxed var context: Context

    private static let listWidth = 34
    private static let narrowestStory = 24

    private func areas(in body: Rect) -> (list: Rect, rule: Rect, details: Rect) {
        if body.width >= Self.listWidth + Self.narrowestStory {
            let (list, story) = body.splitLeft(Self.listWidth)
            return (list, .zero, story)
        }
        // The list keeps at least half of the screen.
        return body.splitDetails(rows: body.height >= 8 ? min(story(width: body.width).count, body.height / 2 - 1) : 0)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        table.draw(on: &surface, in: areas.list)
        surface.drawRule(in: areas.rule)
        ScrollingText.fitting(areas.details, lines: story).draw(on: &surface, in: areas.details)
    }

    private var table: Table {
        let (entries, title) = (state.rows(context), state.kind == .faults ? "FAULT" : "SCENARIO")
        let column = TableColumn(title, minimum: 20, ideal: 28, priority: 0, grows: true)
        return state.pane.table([column], count: entries.count, emptyText: "No match.") { [Span(entries[$0].title)] }
    }

    func shown(in body: Rect) -> ShownList? { ShownList(table, in: areas(in: body).list) }

    private func story(width: Int) -> [StyledLine] {
        guard let entry = state.selected(context) else { return [] }
        let width = max(1, width)
        let ending = context.endingNotice.map { [.empty] + StyledLine.wrap($0, to: width, style: .muted) }
        return StyledLine.wrap(entry.title, to: width, style: Style(.text, .bold))
            + StyledLine.wrap(state.running == nil ? entry.story : "Starting the authority.", to: width)
            + (ending ?? [])
    }
}
