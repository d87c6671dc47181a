import TerminalUI

/// The status line: selection, notice and key hints.
struct StatusView {
    private let context: Context
    private let left: String
    /// The hinted commands, most useful first.
    private let commands: [CommandInfo]
    /// The commands whose hints always stay: the walk's next step, quit and help, or else the last one.
    private let lasting: [CommandInfo]

    init(_ model: Model) {
        context = model.context
        let screen = model.screens[model.top].base
        left =
            context.accounts.removing.map { "Removing \($0.account.displayName)" } ?? model.moving?.place(context) ?? ""
        let usable = screen.entries(context).filter {
            $0.info.hint != nil && $0.isHinted && $0.availability == .available
        }.map(\.info)
        let fixed = ["walkOn", "close", "help"].compactMap { (name: CommandName) in usable.first { $0.name == name } }
        let lasting = fixed.isEmpty ? Array(usable.suffix(1)) : fixed
        commands = usable.filter { command in !lasting.contains { $0.name == command.name } }
        self.lasting = lasting
    }

    /// The columns of the lasting hints.
    private var lastingWidth: Int { lasting.map(hint).reduce(0) { $0 + $1.key.count + $1.label.count + 3 } }

    private func hint(_ command: CommandInfo) -> StatusLine.Hint {
        StatusLine.Hint(KeyLabel.text(command.keys, ascii: context.options.ascii), command.hint ?? "")
    }

    private var notice: StatusLine.Notice? {
        context.notice.map { StatusLine.Notice($0.severity.shown, $0.text) }
    }

    /// Whether a notice fits in the line.
    private func fits(_ notice: StatusLine.Notice?, in width: Int) -> Bool {
        notice.map { $0.line.width <= width - lastingWidth } ?? true
    }

    private func line(width: Int) -> StatusLine {
        StatusLine(
            left: left, notice: fits(notice, in: width) ? notice : nil, hints: commands.map(hint),
            lasting: lasting.map(hint))
    }

    func draw(on surface: inout Surface, in frame: Frame) {
        line(width: frame.status.width).draw(on: &surface, in: frame.status)
        if let notice, !fits(notice, in: frame.status.width) {
            drawAbove(notice.line, on: &surface, in: frame)
        }
    }

    /// The command whose hint is at this point.
    func command(at point: Point) -> CommandInfo? {
        let row = context.frame.status
        switch line(width: row.width).target(at: point, in: row, glyphs: context.glyphs) {
        case .hint(let index): return commands[index]
        case .lasting(let index): return lasting[index]
        case nil: return nil
        }
    }

    /// The rows of a notice that doesn't fit in the line, including a rule.
    var heightAbove: Int {
        let width = context.size.width - 2
        guard let notice, !fits(notice, in: width) else { return 0 }
        return lines(notice.line, width: width).count + 1
    }

    private func lines(_ line: StyledLine, width: Int) -> [StyledLine] {
        let text = line.spans.map(\.text).joined()
        return StyledLine.wrap(text, to: max(1, width), style: line.spans.first?.style ?? .text)
    }

    /// Draws a long notice above the line.
    private func drawAbove(_ line: StyledLine, on surface: inout Surface, in frame: Frame) {
        let lines = lines(line, width: frame.body.width)
        surface.drawRule(in: frame.notice)
        ScrollingText(lines).draw(on: &surface, in: frame.notice.splitTop(1).rest)
    }
}

extension Notice.Severity {
    fileprivate var shown: StatusLine.Notice.Severity {
        switch self {
        case .quiet: .info
        case .success: .success
        case .warning: .warning
        }
    }
}
