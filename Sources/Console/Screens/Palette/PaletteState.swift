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

    struct Row: Sendable, Equatable {
        var entry: CommandEntry
        var place: String?
    }

    /// The matching commands in table order, without the moving ones. First is the one that is called what was typed.
    func rows(_ context: Context) -> [Row] {
        let here = context.stage.menu.entries.filter { $0.info.group != .moving && $0.info.name != "palette" }
        let found = (here.map { Row(entry: $0) } + elsewhere(context)).matching(pane.filter.text) { row in
            let info = row.entry.info
            let keys = KeyLabel.text(info.keys, ascii: true)
            return "\(info.sentence) \(info.hint ?? "") \(keys) \(Self.synonyms[info.name] ?? "")"
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
                let entry = CommandEntry(info: info, isHinted: false, lineUse: .absent, availability: how)
                return Row(entry: entry, place: table.title)
            }
        }
    }

    private static let synonyms: [CommandName: String] = [
        "remove": "logout log out sign-out delete forget remove", "renew": "renew update token",
        "picture": "qr barcode", "signIn": "login log in", "changeToBrowser": "login log in",
        "reload": "refresh update", "check": "doctor diagnose test", "help": "keys shortcuts", "close": "exit",
        "copy": "clipboard", "inspect": "network trace http har", "profiles": "settings configuration tenant",
        "scenarios": "demo tutorial diagram export handout record", "faults": "errors", "claims": "token jwt",
        "open": "token jwt", "report": "support bug", "theme": "color dark light contrast", "mouse": "click wheel",
    ]

    func view(_ context: Context) -> PaletteView { PaletteView(self, context) }
    func label(_ row: Row, _ context: Context) -> String { row.entry.info.sentence }
    func stepBack(_ context: inout Context) -> Bool { false }

    static let commands: [Command] =
        [
            Command("runCommand", [.enter], "Run the selected command.", hint: "run", inLines: .absent) {
                state, context in
                let chosen = state.selected(context)?.entry
                switch chosen?.availability ?? .unavailable("No matching command.") {
                case .available: return chosen.map { .move(.run($0.info.name)) } ?? .none
                case .unavailable(let reason):
                    context.notice = Notice(.quiet, reason)
                    return .none
                }
            }
        ] + upAndDown([.up, .backTab], [.down, .tab]) + paging
        + [back("Close the command palette.", hint: "close"), interrupt]
}

/// A text field and the matching commands with their keys. Unavailable ones say why.
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

    private func box(in body: Rect) -> MenuBox {
        let height = min(body.height, Self.mostRows + 4)
        return MenuBox(in: body.splitTop(height).top, height: height, meaning: 2)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let box = box(in: body)
        box.draw("Commands: \(context.stage.menu.title)", meaningLines, on: &surface)
        let (query, list) = box.list.splitTop(1)
        if entries.isEmpty {
            surface.writeLine("No matching command.", in: list, style: .muted)
        } else {
            table.draw(on: &surface, in: list)
        }
        let edge = surface.writeLine(": ", in: query, style: .key)
        state.pane.filter.draw(
            on: &surface, in: query.splitLeft(edge - query.minX).rest, placeholder: "type to find a command",
            hasFocus: !state.pane.isMoved || entries.isEmpty)
    }

    private func meaningLines(width: Int) -> [StyledLine] {
        guard let row = state.selected(context) else { return [] }
        switch row.entry.availability {
        case .available: return StyledLine.wrap(row.entry.info.sentence, to: width, style: .muted)
        case .unavailable(let how) where row.place != nil: return StyledLine.wrap(how, to: width, style: .muted)
        case .unavailable(let why): return StyledLine.wrap("Unavailable: \(why)", to: width, style: .warning)
        }
    }

    func shown(in body: Rect) -> ShownList? { ShownList(table, in: box(in: body).list.splitTop(1).rest) }

    private var table: Table {
        let rows = entries.map { row in
            let (info, isUsable) = (row.entry.info, row.entry.availability == .available)
            return [
                Span(KeyLabel.text(info.keys, ascii: context.options.ascii), isUsable ? .key : .muted),
                Span(info.sentence, isUsable ? .text : .muted),
                Span(isUsable ? "" : row.place ?? Self.notNow, .muted),
            ]
        }
        func width(_ column: Int) -> Int { rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0 }
        let columns = [
            TableColumn("", minimum: 6, ideal: width(0), priority: 0),
            TableColumn("", minimum: 10, ideal: 40, priority: 0, grows: true),
            TableColumn("", minimum: Self.notNow.count, ideal: width(2), priority: 0),
        ]
        return state.pane.table(columns, count: rows.count, showsTitles: false) { rows[$0] }
    }
}
