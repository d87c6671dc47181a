import TerminalUI

extension Destination {
    static let help = Destination(HelpState())
}

struct HelpState: ViewedScreen {
    enum Layer: String, KeyLayer { case all = "Help" }

    static let cover = Cover.over

    var pane = ListPane()

    /// A command, or several that differ in their digit only.
    struct Row: Sendable, Equatable {
        var keys: String
        var sentence: String
        /// Nil for what can't be used now, which comes last.
        var group: CommandInfo.Group?
        /// Nil for several commands.
        var command: CommandName?
        var obstacle: String?
    }

    func rows(_ context: Context) -> [Row] {
        let rows = Self.folded(context.stage.menu.entries).map { Row($0, ascii: context.options.ascii) }
        let groups: [CommandInfo.Group?] = [.view, .everywhere, .moving, nil]
        return groups.flatMap { group in rows.filter { $0.group == group } }
    }

    /// The entries; those with the key of a tab as one.
    private static func folded(_ entries: [CommandEntry]) -> [[CommandEntry]] {
        let digits = entries.filter(\.isDigit)
        let usable = digits.filter { $0.availability == .available }
        return entries.compactMap { entry in
            guard entry.isDigit else { return [entry] }
            return entry == digits.first ? (usable.isEmpty ? digits : usable) : nil
        }
    }

    func view(_ context: Context) -> HelpView { HelpView(self, context) }
    func label(_ row: Row, _ context: Context) -> String { "\(row.keys): \(row.sentence)" }

    static let commands: [Command] =
        [
            Command("runCommand", [.enter], "Run the selected command.", hint: "run", inLines: .absent) {
                help, context in
                guard let row = help.selected(context) else { return .none }
                guard row.obstacle == nil, let command = row.command else {
                    context.notice = Notice(.quiet, row.obstacle ?? "Press \(row.keys).")
                    return .none
                }
                return .move(.run(command))
            }
        ] + moving() + [
            back("Close help.", keys: [.escape] + .verb(.close) + .verb(.help) + [.function(1)], hint: "close"),
            interrupt,
        ]
}

extension CommandEntry {
    /// Whether its key is that of a tab.
    fileprivate var isDigit: Bool { info.keys.first?.typed?.isNumber == true }
}

extension HelpState.Row {
    fileprivate init(_ entries: [CommandEntry], ascii: Bool) {
        let labels = entries.map { $0.info.keys.map { KeyLabel.text($0, ascii: ascii) }.joined(separator: " ") }
        let isOnly = entries.count == 1
        keys = isOnly ? labels.joined() : "\(labels.first ?? "")-\(labels.last ?? "")"
        sentence = isOnly ? entries[0].info.sentence : "Show a tab or pane by its number."
        command = isOnly ? entries[0].info.name : nil
        if case .unavailable(let reason) = entries[0].availability { obstacle = reason }
        group = obstacle == nil ? entries[0].info.group : nil
    }
}

/// The keys of the screen beneath. Below the list is the selected command's full sentence.
struct HelpView: ListView {
    private static let columns = [
        TableColumn("", minimum: 4, ideal: 24, priority: 0),
        TableColumn("", minimum: 10, ideal: 100, priority: 0, grows: true),
    ]

    @Boxed private var context: Context
    private let state: HelpState
    private let rows: [HelpState.Row]

    init(_ state: HelpState, _ context: Context) {
        self.state = state
        self.context = context
        rows = state.rows(context)
    }

    private func box(in body: Rect) -> MenuBox {
        let groups = Set(rows.map(\.group)).count
        // The headings with blank lines between, the selected command's sentence, and the border.
        return MenuBox(in: body, height: rows.count + 2 * groups + 4, meaning: 3)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let box = box(in: body)
        box.draw("Keys: \(context.stage.menu.title)", meaningLines, on: &surface)
        lines(width: box.list.width).draw(on: &surface, in: box.list)
    }

    private func meaningLines(width: Int) -> [StyledLine] {
        guard let row = state.selected(context) else { return [] }
        let obstacle = row.obstacle.map { StyledLine.wrap("Unavailable: \($0)", to: width, style: .warning) }
        return [.empty] + StyledLine.wrap(row.sentence, to: width, style: .muted) + (obstacle ?? [])
    }

    func shown(in body: Rect) -> ShownList? {
        let list = box(in: body).list
        return lines(width: list.width).shown(in: list)
    }

    private func lines(width: Int) -> SelectedLines {
        var lines = SelectedLines(state.pane, width: width, glyphs: context.glyphs)
        for (index, row) in rows.enumerated() {
            if index == 0 || row.group != rows[index - 1].group {
                lines.appendHeading(StyledLine(row.group?.rawValue ?? "Not now", Style(.title, .bold)))
            }
            let isUsable = row.obstacle == nil
            lines.append(
                [Span(row.keys, isUsable ? .key : .muted), Span(row.sentence, isUsable ? .text : .muted)], Self.columns)
        }
        return lines
    }
}
