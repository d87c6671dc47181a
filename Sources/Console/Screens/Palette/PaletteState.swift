import TerminalUI

extension Destination {
    static let palette = Destination(PaletteState())
}

/// The command palette: the commands of the screen beneath, then those of the others, filtered by typed words.
struct PaletteState: ViewedScreen {
    enum Layer: String, KeyLayer { case all = "Commands" }

    static let cover = Cover.over

    /// The user types the filter all the time.
    var pane = ListPane(isFiltering: true)

    /// A command, and where it is if not on the screen beneath.
    struct Row: Sendable, Equatable {
        var entry: CommandEntry
        var place: String?
    }

    /// The matching commands in table order, without the moving ones. First is the one that is called what was typed.
    func rows(_ context: Context) -> [Row] {
        let here = context.stage.menu.entries.filter { $0.info.group != .moving && $0.info.name != "palette" }
        let found = (here.map { Row(entry: $0) } + elsewhere(context)).matching(pane.filter.text) { row in
            let info = row.entry.info
            let synonyms = Self.synonyms[info.name] ?? ""
            return "\(info.sentence) \(info.hint ?? "") \(KeyLabel.text(info.keys, ascii: true)) \(synonyms)"
        }
        let search = pane.filter.text.lowercased()
        let named = found.firstIndex {
            $0.place == nil && [$0.entry.info.hint, $0.entry.info.name.text].contains(search)
        }
        return named.map { [found[$0]] + found[..<$0] + found[($0 + 1)...] } ?? found
    }

    /// The commands of other screens, which say how to get there.
    private func elsewhere(_ context: Context) -> [Row] {
        let menu = context.stage.menu
        let others = KeyTable.all.filter { table in
            !table.howToOpen.isEmpty && table.title != menu.title && table.commands.contains { $0.name == "palette" }
        }
        var seen = Set(menu.entries.map(\.info.sentence))
        return others.flatMap { table in
            table.commands.filter { $0.group == .view && seen.insert($0.sentence).inserted }.map { info in
                let key = KeyLabel.text(info.keys, ascii: context.options.ascii)
                let how = Availability.unavailable("\(table.howToOpen) Then press \(key).")
                return Row(
                    entry: CommandEntry(info: info, isHinted: false, lineUse: .absent, availability: how),
                    place: table.title)
            }
        }
    }

    /// Other words that users search for.
    private static let synonyms: [CommandName: String] = [
        "remove": "logout log out sign-out delete forget remove", "renew": "renew update token",
        "picture": "qr barcode",
        "signIn": "login log in", "changeToBrowser": "login log in", "reload": "refresh update",
        "check": "doctor diagnose test",
        "help": "keys shortcuts", "close": "exit", "copy": "clipboard", "inspect": "network trace http har",
        "profiles": "settings configuration tenant", "scenarios": "demo tutorial diagram export handout record",
        "faults": "errors",
        "claims": "token jwt", "open": "token jwt", "report": "support bug", "theme": "color dark light contrast",
        "mouse": "click wheel",
    ]

    func view(_ context: Context) -> PaletteView { PaletteView(self, context) }
    func label(_ row: Row, _ context: Context) -> String { row.entry.info.sentence }
    func stepBack(_ context: inout Context) -> Bool { false }

    static let commands: [Command] =
        [
            Command("runCommand", [.enter], "Run the selected command.", hint: "run", inLines: .absent) {
                state, context in
                guard let chosen = state.selected(context)?.entry else {
                    context.notice = Notice(.quiet, "No matching command.")
                    return .none
                }
                if case .unavailable(let reason) = chosen.availability {
                    context.notice = Notice(.quiet, reason)
                    return .none
                }
                return .move(.run(chosen.info.name))
            }
        ] + upAndDown([.up, .backTab], [.down, .tab]) + paging
        + [back("Close the command palette.", hint: "close"), interrupt]
}

/// The command palette over the screen: a text field and the matching commands with their keys. Unavailable ones say
/// why.
struct PaletteView: ListView {
    private static let mostRows = 14
    private static let notNow = "not now"

    private let state: PaletteState
    @Boxed private var context: Context
    private let entries: [PaletteState.Row]

    init(_ state: PaletteState, _ context: Context) {
        self.state = state
        self.context = context
        entries = state.rows(context)
    }

    private func box(in body: Rect) -> Rect {
        let height = min(body.height, Self.mostRows + 4)
        let width = body.overlayWidth
        return body.splitTop(height).top.centered(Size(width: width, height: height))
    }

    /// The areas of the box. In a low window, the list keeps the most rows.
    private func areas(in box: Rect) -> (query: Rect, list: Rect, meaning: Rect) {
        let (query, rest) = box.inset(horizontal: 2, vertical: 1).splitTop(1)
        let (list, meaning) = rest.splitBottom(rest.height > 8 ? 2 : rest.height > 4 ? 1 : 0)
        return (query, list, meaning)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let box = box(in: body)
        surface.fill(box)
        surface.drawBox(box, title: "Commands: \(context.stage.menu.title)")
        let (query, list, meaning) = areas(in: box)
        drawList(on: &surface, in: list)
        ScrollingText.fitting(meaning, lines: meaningLines).draw(on: &surface, in: meaning)
        let edge = surface.writeLine(": ", in: query, style: .key)
        state.pane.filter.draw(
            on: &surface, in: query.splitLeft(edge - query.minX).rest, placeholder: "type to find a command",
            hasFocus: !state.pane.isMoved || entries.isEmpty)
    }

    /// Why the selected command is unavailable, or else its full description.
    private func meaningLines(width: Int) -> [StyledLine] {
        guard let row = state.selected(context) else { return [] }
        switch row.entry.availability {
        case .available: return StyledLine.wrap(row.entry.info.sentence, to: width, style: .muted)
        case .unavailable(let how) where row.place != nil: return StyledLine.wrap(how, to: width, style: .muted)
        case .unavailable(let why): return StyledLine.wrap("Unavailable: \(why)", to: width, style: .warning)
        }
    }

    private func drawList(on surface: inout Surface, in list: Rect) {
        guard !entries.isEmpty else {
            surface.writeLine("No matching command.", in: list, style: .muted)
            return
        }
        table.draw(on: &surface, in: list)
    }

    func shown(in body: Rect) -> ShownList? { ShownList(table, in: areas(in: box(in: body)).list) }

    private var table: Table {
        let columns = [
            TableColumn("", minimum: 6, ideal: keyWidth, priority: 0),
            TableColumn("", minimum: 10, ideal: 40, priority: 0, grows: true),
            TableColumn("", minimum: Self.notNow.count, ideal: placeWidth, priority: 0),
        ]
        return state.pane.table(columns, count: entries.count, showsTitles: false) { index in
            let command = entries[index].entry
            let isUsable = command.availability == .available
            return [
                Span(KeyLabel.text(command.info.keys, ascii: context.options.ascii), isUsable ? .key : .muted),
                Span(command.info.sentence, isUsable ? .text : .muted),
                Span(isUsable ? "" : entries[index].place ?? Self.notNow, .muted),
            ]
        }
    }

    private var keyWidth: Int {
        entries.map { DisplayWidth.of(KeyLabel.text($0.entry.info.keys, ascii: context.options.ascii)) }.max() ?? 0
    }

    private var placeWidth: Int {
        entries.map { $0.entry.availability == .available ? 0 : DisplayWidth.of($0.place ?? Self.notNow) }.max() ?? 0
    }
}
