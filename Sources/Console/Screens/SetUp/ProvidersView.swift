import TerminalUI

/// The provider list: the first screen without a configuration, and the first step of a new profile.
struct ProvidersView {
    private static let columns = [
        TableColumn("PROVIDER", minimum: 24, ideal: 24, priority: 0),
        TableColumn("SIGNS IN", minimum: 24, ideal: 50, priority: 1, grows: true),
    ]

    let choice: ProviderChoice
    let context: Context

    private func areas(in body: Rect) -> (introduction: Rect, list: Rect, outlook: Rect) {
        let width = body.width - 2
        let above = introduction(width).count
        let isRoomy = body.height >= above + ProviderChoice.rows + 2 + outlook(width).count
        let (introduction, rest) = body.splitTop(isRoomy ? above : min(1, body.height - ProviderChoice.rows))
        let (list, below) = rest.splitTop(ProviderChoice.rows)
        return (introduction, list, below)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        let introduction = introduction(body.width - 2)
        ScrollingText(Array(introduction.prefix(areas.introduction.height))).draw(on: &surface, in: areas.introduction)
        table.draw(on: &surface, in: areas.list)
        ScrollingText(outlook(body.width - 2)).draw(on: &surface, in: areas.outlook)
    }

    private var table: Table {
        Table(
            columns: Self.columns, count: ProviderChoice.rows, selected: choice.selection, showsTitles: false,
            previousOffset: context.listTop
        ) {
            Self.cells($0)
        }
    }

    var shown: ShownList { ShownList(table, in: areas(in: context.frame.body).list) }

    private static func cells(_ row: Int) -> [Span] {
        guard ProviderChoice.kinds.indices.contains(row) else {
            return [Span("Try the demo", .accent), Span("Built-in authority; nothing is saved", .muted)]
        }
        let kind = ProviderChoice.kinds[row]
        return [Span(kind.title), Span(kind.people, .muted)]
    }

    private func introduction(_ width: Int) -> [StyledLine] {
        let first = choice.isFirst ? "Welcome. " : ""
        return StyledLine.wrap("\(first)Where do users sign in?", to: width, style: Style(.title, .bold)) + [.empty]
    }

    private func outlook(_ width: Int) -> [StyledLine] {
        if let problem = choice.problem {
            return [.empty] + StyledLine.problem(problem, width: width, glyphs: context.glyphs)
        }
        if choice.opening != nil { return [.empty, StyledLine("Starting the demo.", .muted)] }
        let text =
            choice.kind == nil
            ? "Press Enter to start. The next screen lists the users and their passwords."
            : "Press Enter for three questions. Your answers are saved in \(context.configPath)."
        return [.empty] + StyledLine.wrap(text, to: width, style: .muted)
    }
}
