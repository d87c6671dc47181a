import TerminalUI

/// The command palette over the screen: a text field and the matching commands with their keys. Unavailable ones say
/// why.
struct PaletteView {
    private static let widest = 76
    private static let mostRows = 14
    private static let notNow = "not now"

    private let state: PaletteState
    private let context: Context
    private let entries: [CommandEntry]

    init(_ state: PaletteState, _ context: Context) {
        self.state = state
        self.context = context
        entries = state.entries(context)
    }

    /// A box that would leave less than this beside it takes the full width instead.
    private static let sliver = 12

    private var box: Rect {
        let body = context.frame.body
        let height = min(body.height, Self.mostRows + 4)
        let width = body.width < Self.widest + Self.sliver ? body.width : Self.widest
        return body.splitTop(height).top.centered(Size(width: width, height: height))
    }

    /// The areas of the box. In a low window, the list keeps the most rows.
    private var areas: (query: Rect, list: Rect, meaning: Rect) {
        let (query, rest) = box.inset(horizontal: 2, vertical: 1).splitTop(1)
        let (list, meaning) = rest.splitBottom(rest.height > 8 ? 2 : rest.height > 4 ? 1 : 0)
        return (query, list, meaning)
    }

    /// The number of visible rows.
    var pageHeight: Int { max(1, areas.list.height) }

    func draw(on surface: inout Surface) {
        surface.fill(box)
        surface.drawBox(box, title: "Commands: \(context.stage.menu.title)")
        let (query, list, meaning) = areas
        drawList(on: &surface, in: list)
        ScrollingText.fitting(meaning, lines: meaningLines).draw(on: &surface, in: meaning)
        let end = surface.writeLine(": ", in: query, style: .key)
        state.query.draw(
            on: &surface, in: query.splitLeft(end - query.minX).rest, placeholder: "type to find a command")
    }

    /// Why the selected command is unavailable, or else its full description.
    private func meaningLines(width: Int) -> [StyledLine] {
        guard let command = state.selected(context) else { return [] }
        switch command.availability {
        case .available: return StyledLine.wrap(command.info.sentence, to: width, style: .muted)
        case .unavailable(let why): return StyledLine.wrap("Not now: \(why)", to: width, style: .warning)
        }
    }

    private func drawList(on surface: inout Surface, in list: Rect) {
        guard !entries.isEmpty else {
            surface.writeLine("No matching command.", in: list, style: .muted)
            return
        }
        table.draw(on: &surface, in: list)
    }

    var shown: ShownList { ShownList(table, in: areas.list) }

    private var table: Table {
        let columns = [
            TableColumn("", minimum: 6, ideal: keyWidth, priority: 0),
            TableColumn("", minimum: 10, ideal: 40, priority: 0, grows: true),
            TableColumn("", minimum: Self.notNow.count, ideal: Self.notNow.count, priority: 0),
        ]
        return Table(
            columns: columns, count: entries.count, selected: state.selection, showsTitles: false,
            previousOffset: context.listTop
        ) { index in
            let command = entries[index]
            let isUsable = command.availability == .available
            return [
                Span(KeyLabel.text(command.info.keys, ascii: context.options.ascii), isUsable ? .key : .muted),
                Span(command.info.sentence, isUsable ? .text : .muted), Span(isUsable ? "" : Self.notNow, .muted),
            ]
        }
    }

    private var keyWidth: Int {
        entries.map { DisplayWidth.of(KeyLabel.text($0.info.keys, ascii: context.options.ascii)) }.max() ?? 0
    }
}
