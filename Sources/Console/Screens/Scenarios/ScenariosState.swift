import TerminalUI

/// The list of scenarios, or of the authority's faults. Each opens as a walk.
package struct ScenariosState: Sendable, Equatable, ConsoleScreen {
    package enum Kind: Sendable { case scenarios, faults }

    package let kind: Kind
    package var selection = 0
    /// The effect that opens a scenario, while it runs.
    package var opening: EffectID?
    private var query = TextField()
    private var isSearching = false

    package init(_ kind: Kind = .scenarios, selection: Int = 0) {
        self.kind = kind
        self.selection = selection
    }

    package enum Layer: String, KeyLayer { case scenarios = "Scenarios", faults = "Faults", search = "Search the list" }

    package var layer: Layer { isSearching ? .search : list }
    package var list: Layer { kind == .faults ? .faults : .scenarios }

    var waits: [Wait] { opening.map { [Wait($0, .cancelAndSay)] } ?? [] }

    func title(_ context: Context) -> String { list.rawValue }

    func place(_ context: Context) -> String {
        if isSearching || !query.text.isEmpty { return "/\(query.text)" }
        let count = entries(context).count
        return count == 0 ? "" : StatusPlace.text(selection, of: count)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        ScenariosView(state: self, context: context).draw(on: &surface, in: rect)
    }

    /// The entries that contain all words of the search.
    func entries(_ context: Context) -> [ScenarioSummary] {
        Self.all(kind, context).matching(query.text) { "\($0.name) \($0.title) \($0.story)" }
    }

    fileprivate static func all(_ kind: Kind, _ context: Context) -> [ScenarioSummary] {
        (kind == .faults ? context.profile?.faults : context.profile?.scenarios) ?? []
    }

    func extent(_ context: Context) -> Extent? {
        let view = ScenariosView(state: self, context: context)
        return Extent(position: selection, last: entries(context).count - 1, page: view.pageHeight, shown: view.shown)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        selection = max(0, min(position, entries(context).count - 1))
    }

    private static let lists: [Layer] = [.scenarios, .faults]

    static let commands: [Command] =
        [
            Command(
                "startScenario", [.enter], "Choose an entry, and start it with an empty cache.", hint: "start",
                inLines: .row
            ) { state, context in
                let entries = state.entries(context)
                guard state.opening == nil, entries.indices.contains(state.selection) else { return .none }
                let id = context.makeEffectID()
                state.opening = id
                return .start(.openScenario(id, entries[state.selection].name))
            },
            Command(
                "search", [.character("/")], "Search the list as you type.", hint: "search", in: lists, inLines: .absent
            ) { state, _ in
                state.isSearching = true
                return .none
            },
        ] + moving(in: lists) + upAndDown([.up], [.down], in: [.search]) + finding(in: lists)
        + [
            back("Go back.", hint: "back", in: lists), back("End the search.", hint: "back", in: [.search]),
            close(closingCancels, in: lists), interrupt,
        ]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard isSearching, query.press(key) else { return nil }
        selection = 0
        return Reaction.none
    }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard isSearching else { return .none }
        query.insert(text)
        selection = 0
        return .none
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard isSearching || !query.text.isEmpty else { return false }
        (isSearching, query, selection) = (false, TextField(), 0)
        return true
    }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .scenarioOpened(_, let outcome) = message else { return .none }
        switch outcome {
        case .success(let profile): return .move(.begin(profile, then: profile.walk.map { _ in .walk(nil) }))
        case .failure(let report):
            opening = nil
            context.notice = Notice(.warning, "\(report.reason) \(report.advice)")
            return .none
        }
    }

    func lines(_ context: Context) -> [String] { ["\(list.rawValue)."] + rowLabels(context).map { "- \($0)" } }

    func rowLabels(_ context: Context) -> [String] { entries(context).map { "\($0.title): \($0.story)" } }
}

extension Destination {
    /// The list, at the open scenario.
    static func scenarios(_ kind: ScenariosState.Kind, _ context: Context) -> Destination {
        let open = ScenariosState.all(kind, context).firstIndex { $0.name == context.profile?.walk?.name }
        return Destination(ScenariosState(kind, selection: open ?? 0))
    }
}

/// The list of titles, with the selected entry's story beside or below. A column of stories would cut them.
struct ScenariosView {
    let state: ScenariosState
    let context: Context

    private var entries: [ScenarioSummary] { state.entries(context) }

    /// The columns of the list beside the story.
    private static let listWidth = 34
    /// The least columns of the story beside the list.
    private static let narrowestStory = 24

    private func areas(in body: Rect) -> (list: Rect, rule: Rect, details: Rect) {
        if body.width >= Self.listWidth + Self.narrowestStory {
            let (list, story) = body.splitLeft(Self.listWidth)
            return (list, .zero, story)
        }
        // The list keeps at least half of the screen.
        return body.splitDetails(rows: body.height >= 8 ? min(story(width: body.width).count, body.height / 2 - 1) : 0)
    }

    var pageHeight: Int { max(1, areas(in: context.frame.body).list.height - 1) }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
        table.draw(on: &surface, in: areas.list)
        surface.drawRule(in: areas.rule)
        ScrollingText.fitting(areas.details, lines: story).draw(on: &surface, in: areas.details)
    }

    private var table: Table {
        let entries = entries
        return Table(
            columns: [
                TableColumn(
                    state.kind == .faults ? "FAULT" : "SCENARIO", minimum: 20, ideal: 28, priority: 0, grows: true)
            ], count: entries.count, selected: state.selection, previousOffset: context.listTop,
            emptyText: "No match."
        ) { row in
            [Span(entries[row].title)]
        }
    }

    var shown: ShownList { ShownList(table, in: areas(in: context.frame.body).list) }

    private func story(width: Int) -> [StyledLine] {
        guard entries.indices.contains(state.selection) else { return [] }
        let entry = entries[state.selection]
        return StyledLine.wrap(entry.title, to: max(1, width), style: Style(.text, .bold))
            + StyledLine.wrap(state.opening == nil ? entry.story : "Starting the authority.", to: max(1, width))
            + ending(width)
    }

    /// What starting a scenario ends.
    private func ending(_ width: Int) -> [StyledLine] {
        guard let notice = context.endingNotice else { return [] }
        return [.empty] + StyledLine.wrap(notice, to: max(1, width), style: .muted)
    }
}
