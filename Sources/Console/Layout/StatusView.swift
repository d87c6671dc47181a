import TerminalUI

/// The bottom row: what is selected, the notice, the keys that help now.
struct StatusView {
    /// Below this the keys need the room more than the name, which the list shows anyway. The details show it, too.
    private static let widthForNames = 80

    let model: Model
    /// What the hints are of, most useful first.
    private let commands: [Command]
    /// The command whose hint always stays: help, or where there is none, the way out.
    private let lasting: Command?

    init(_ model: Model) {
        self.model = model
        let usable = Commands.on(model.focus).filter {
            $0.hint != nil && $0.isHinted(model) && $0.availability(model) == .available
        }
        let lasting = usable.first { $0.id == .help } ?? usable.last
        commands = usable.filter { $0.id != lasting?.id }
        self.lasting = lasting
    }

    private var help: StatusLine.Hint { lasting.map(hint) ?? StatusLine.Hint("", "") }

    private func hint(_ command: Command) -> StatusLine.Hint {
        StatusLine.Hint(KeyLabel.text(command.keys, ascii: model.options.ascii), command.hint ?? "")
    }

    private var notice: StatusLine.Notice? {
        model.notice.map { StatusLine.Notice($0.severity.shown, $0.text) }
    }

    /// Whether a notice has room in the line.
    private func fits(_ notice: StatusLine.Notice?, in width: Int) -> Bool {
        notice.map { $0.line.width <= width - help.key.count - help.label.count - 3 } ?? true
    }

    private func line(width: Int) -> StatusLine {
        StatusLine(left: left, notice: fits(notice, in: width) ? notice : nil, hints: commands.map(hint), help: help)
    }

    func draw(on surface: inout Surface, in frame: Frame) {
        line(width: frame.status.width).draw(on: &surface, in: frame.status)
        if let notice, !fits(notice, in: frame.status.width) {
            drawAbove(notice.line, on: &surface, in: frame.body)
        }
    }

    /// The command whose hint stands there.
    func command(at point: Point) -> Command? {
        let row = model.frame.status
        switch line(width: row.width).target(at: point, in: row, glyphs: model.glyphs) {
        case .hint(let index): return commands[index]
        case .help: return lasting
        case nil: return nil
        }
    }

    /// Over the last rows of the body, so that nothing else moves when it comes and goes.
    private func drawAbove(_ line: StyledLine, on surface: inout Surface, in body: Rect) {
        let text = line.spans.map(\.text).joined()
        let lines = StyledLine.wrap(text, to: body.width, style: line.spans.first?.style ?? .text)
        let area = body.splitBottom(lines.count + 1).bottom
        surface.fill(area)
        surface.drawRule(in: area)
        ScrollingText(lines).draw(on: &surface, in: area.splitTop(1).rest)
    }

    private var left: String {
        if let removal = model.accounts.removing { return "Removing \(removal.account.displayName)" }
        if model.overlay == nil, let place = model.placeInInspector { return place }
        switch (model.overlay, model.routes.last) {
        case (nil, .claims(let state)) where !state.showsJSON && !state.rows.isEmpty:
            return place(state.selection, of: state.rows.count)
        case (nil, .check(let state)) where !state.rows.isEmpty:
            return place(state.selection, of: state.rows.count)
        case (nil, nil):
            guard let selected = model.accounts.selected, !model.accounts.isEditingFilter else { return "" }
            let place = place(model.accounts.selection, of: model.accounts.visible.count)
            let isRoomy = model.size.width >= Self.widthForNames && !AccountsView(model).showsDetails
            return isRoomy ? "\(selected.displayName)  \(place)" : place
        default: return ""
        }
    }

    /// Of one width wherever the selection is, so that the hints stay where they are.
    private func place(_ row: Int, of count: Int) -> String {
        TextFitting.fit("\(row + 1) of \(count)", to: "\(count) of \(count)".count)
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
