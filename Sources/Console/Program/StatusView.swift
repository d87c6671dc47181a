import TerminalUI

/// The status line with the keys of the screen's verbs, and above it the notice.
struct StatusView {
    @Boxed private var context: Context
    /// The hinted commands, most useful first.
    private let commands: [CommandInfo]
    /// The commands whose hints always stay: of walk, pane, question, back, quit and help, or else the last one.
    private let lasting: [CommandInfo]

    init(_ model: Model) {
        let context = model.context
        self.context = context
        let screen = model.screens[model.top].base
        let usable = screen.entries(context).filter {
            $0.info.hint != nil && $0.isHinted && $0.availability == .available
        }.map(\.info)
        let names: [CommandName] = [
            "walkOn", context.isZoomed ? "zoom" : "walkBack", "confirm", "decline", "back", "close", "help",
        ]
        let fixed = names.compactMap { name in usable.first { $0.name == name } }
        let lasting = fixed.isEmpty ? Array(usable.suffix(1)) : fixed
        commands = usable.filter { command in !lasting.contains { $0.name == command.name } }
        self.lasting = lasting
    }

    private func hint(_ command: CommandInfo) -> StatusLine.Hint {
        StatusLine.Hint(KeyLabel.text(command.keys, ascii: context.options.ascii), command.hint ?? "")
    }

    private var line: StatusLine { StatusLine(hints: commands.map(hint), lasting: lasting.map(hint)) }

    func draw(on surface: inout Surface, in frame: Frame) {
        line.draw(on: &surface, in: frame.status)
        ScrollingText(context.noticeLines(width: frame.notice.width)).draw(on: &surface, in: frame.notice)
    }

    func command(at point: Point) -> CommandInfo? {
        (commands + lasting)[at: line.index(at: point, in: context.frame.status, glyphs: context.glyphs)]
    }
}

extension Context {
    /// The notice above the status line. It has rows of its own, so that no verb makes room for it.
    func noticeLines(width: Int) -> [StyledLine] {
        guard let notice = notice ?? accounts.removing.map({ Notice(.quiet, $0.sentence) }) else { return [] }
        let style: Style =
            switch notice.severity {
            case .quiet: .accent
            case .success: .success
            case .warning: .warning
            }
        return StyledLine.wrap(notice.told, to: max(1, width), style: style)
    }
}
