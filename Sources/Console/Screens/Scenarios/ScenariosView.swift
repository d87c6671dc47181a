import TerminalUI

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
