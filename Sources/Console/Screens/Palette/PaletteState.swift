import TerminalUI

extension Destination {
    static let palette = Destination(PaletteState())
}

/// The command palette: the commands of the screen beneath, filtered by typed words.
struct PaletteState: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Commands" }

    static let cover = Cover.over

    private(set) var query = TextField()
    private(set) var selection = 0

    /// The matching commands in table order, without the moving ones.
    func entries(_ context: Context) -> [CommandEntry] {
        let words = query.text.lowercased().split(separator: " ")
        return context.stage.menu.entries.filter { command in
            let info = command.info
            guard info.group != .moving, info.name != "palette" else { return false }
            let text = "\(info.sentence) \(info.hint ?? "") \(KeyLabel.text(info.keys, ascii: true))".lowercased()
            return words.allSatisfy(text.contains)
        }
    }

    func selected(_ context: Context) -> CommandEntry? {
        let entries = entries(context)
        return entries.indices.contains(selection) ? entries[selection] : nil
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        PaletteView(self, context).draw(on: &surface)
    }

    func extent(_ context: Context) -> Extent? {
        let view = PaletteView(self, context)
        return Extent(
            position: selection, last: entries(context).count - 1, page: view.pageHeight, shown: view.shown)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        selection = max(0, min(position, entries(context).count - 1))
    }

    static let commands: [Command] =
        [
            Command("runCommand", [.enter], "Run the selected command.", hint: "run", inLines: .absent) {
                state, context in
                guard let chosen = state.selected(context) else {
                    context.notice = Notice(.quiet, "No matching command.")
                    return .none
                }
                if case .unavailable(let reason) = chosen.availability {
                    context.notice = Notice(.quiet, reason)
                    return .none
                }
                return .move(.run(chosen.info.name))
            }
        ] + upAndDown([.up, .backTab], [.down, .tab]) + paging()
        + [back("Close the command palette.", hint: "close"), interrupt]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard query.press(key) else { return nil }
        selection = 0
        return Reaction.none
    }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        query.insert(text)
        selection = 0
        return .none
    }
}
