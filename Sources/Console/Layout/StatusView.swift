import TerminalUI

/// The bottom row: what is selected, the notice, the keys that help now.
struct StatusView {
    /// Below this the keys need the room more than the name, which the list shows anyway.
    private static let widthForNames = 80

    let model: Model
    private let hints: [StatusLine.Hint]
    /// The hint that always stays: help, or where there is none, the way out.
    private let lasting: StatusLine.Hint

    init(_ model: Model) {
        self.model = model
        let usable = Commands.on(model.focus).filter {
            $0.hint != nil && $0.isHinted(model) && $0.availability(model) == .available
        }
        let lasting = usable.first { $0.id == .help } ?? usable.last
        hints = usable.filter { $0.id != lasting?.id }.map { StatusLine.Hint($0, ascii: model.options.ascii) }
        self.lasting = lasting.map { StatusLine.Hint($0, ascii: model.options.ascii) } ?? StatusLine.Hint("", "")
    }

    func draw(on surface: inout Surface, in frame: Frame) {
        let notice = model.notice.map { StatusLine.Notice($0.severity.shown, $0.text) }
        let room = frame.status.width - lasting.key.count - lasting.label.count - 3
        let fits = notice.map { $0.line.width <= room } ?? true
        StatusLine(left: left, notice: fits ? notice : nil, hints: hints, help: lasting)
            .draw(on: &surface, in: frame.status)
        if let notice, !fits { drawAbove(notice.line, on: &surface, in: frame.body) }
    }

    /// Over the last rows of the body, so that nothing else moves when it comes and goes.
    private func drawAbove(_ line: StyledLine, on surface: inout Surface, in body: Rect) {
        let text = line.spans.map(\.text).joined()
        let lines = StyledLine.wrap(text, to: body.width, style: line.spans.first?.style ?? .text)
        let area = body.splitBottom(lines.count + 1).bottom
        surface.fill(area)
        surface.drawRule(at: area.origin, width: area.width)
        ScrollingText(lines).draw(on: &surface, in: area.splitTop(1).rest)
    }

    private var left: String {
        if let removal = model.accounts.removing { return "Removing \(removal.account.displayName)" }
        if model.overlay == nil, let place = model.placeInInspector { return place }
        switch (model.overlay, model.routes.last) {
        case (nil, .claims(let state)) where !state.showsJSON && !state.rows.isEmpty:
            return "\(state.selection + 1) of \(state.rows.count)"
        case (nil, .check(let state)) where !state.rows.isEmpty:
            return "\(state.selection + 1) of \(state.rows.count)"
        case (nil, nil):
            guard let selected = model.accounts.selected, !model.accounts.isEditingFilter else { return "" }
            let place = "\(model.accounts.selection + 1) of \(model.accounts.visible.count)"
            return model.size.width < Self.widthForNames ? place : "\(selected.displayName)  \(place)"
        default: return ""
        }
    }
}

extension StatusLine.Hint {
    fileprivate init(_ command: Command, ascii: Bool) {
        self.init(KeyLabel.text(command.keys, ascii: ascii), command.hint ?? "")
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
