import TerminalUI

/// The command palette, over the screen: a field to type in, and below it what fits, each with its key. What cannot be
/// used now says why.
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

    /// A box this much narrower than the screen would leave slivers of it at the sides.
    private static let sliver = 12

    private var box: Rect {
        let body = context.frame.body
        let height = min(body.height, Self.mostRows + 4)
        let width = body.width < Self.widest + Self.sliver ? body.width : Self.widest
        return body.splitTop(height).top.centered(Size(width: width, height: height))
    }

    /// The list keeps most of a low window.
    private var areas: (query: Rect, list: Rect, meaning: Rect) {
        let (query, rest) = box.inset(horizontal: 2, vertical: 1).splitTop(1)
        let (list, meaning) = rest.splitBottom(rest.height > 8 ? 2 : rest.height > 4 ? 1 : 0)
        return (query, list, meaning)
    }

    /// Rows that fit.
    var pageHeight: Int { max(1, areas.list.height) }

    func draw(on surface: inout Surface) {
        surface.fill(box)
        surface.drawBox(box, title: "Commands: \(context.stage.menu.title)")
        let (query, list, meaning) = areas
        drawList(on: &surface, in: list)
        ScrollingText.fitting(meaning, lines: meaningLines).draw(on: &surface, in: meaning)
        let end = surface.writeLine(": ", in: query, style: .key)
        state.query.draw(
            on: &surface, in: query.splitLeft(end - query.minX).rest, placeholder: "type a part of what you want to do")
    }

    /// Of the selected command, why it cannot be used now, else all that it does.
    private func meaningLines(width: Int) -> [StyledLine] {
        guard let command = state.selected(context) else { return [] }
        switch command.availability {
        case .available: return StyledLine.wrap(command.info.sentence, to: width, style: .muted)
        case .unavailable(let why): return StyledLine.wrap("Not now: \(why)", to: width, style: .warning)
        }
    }

    private func drawList(on surface: inout Surface, in list: Rect) {
        guard !entries.isEmpty else {
            surface.writeLine("Nothing here does that.", in: list, style: .muted)
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
