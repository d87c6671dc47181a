import TerminalUI

/// The walk beside whatever is on the screen: what to look at now, and what comes next.
struct WalkView {
    private let walk: GuidedWalk
    private let model: Model

    init?(_ model: Model) {
        guard let walk = model.profile?.walk, model.size.height >= 12, model.screenFocus != .scenarios else {
            return nil
        }
        self.walk = walk
        self.model = model
    }

    /// Rows it takes away from the body, a rule included: never more than two fifths of the screen.
    var height: Int { min(lines(model.size.width - 2).count + 1, model.size.height * 2 / 5) }

    func draw(on surface: inout Surface, in rect: Rect) {
        guard rect.height > 1 else { return }
        surface.drawRule(at: rect.origin, width: rect.width)
        let text = rect.splitTop(1).rest
        ScrollingText.fitting(text, lines: lines).draw(on: &surface, in: text)
    }

    private func lines(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        let text = walk.last.map { "Look: \($0.look)" } ?? "\(walk.title): \(walk.story)"
        let ending = walk.next == nil ? StyledLine.wrap(walk.teaches, to: width, style: .accent) : []
        return [next(width)].compactMap(\.self) + StyledLine.wrap(text, to: width) + ending
    }

    /// First, so that it is never what has no room.
    private func next(_ width: Int) -> StyledLine? {
        guard let step = walk.next else { return nil }
        let place = "\(walk.done + 1)/\(walk.steps.count)"
        let key = KeyLabel.text(Commands.command(.walkOn, on: .accounts)?.keys ?? [], ascii: model.options.ascii)
        let start = [Span(place, .muted), Span(" "), Span(walk.running == nil ? key : model.glyphs.ellipsis, .key)]
        let room = width - place.count - 3
        return StyledLine(
            start + [Span(" \(TextFitting.fit(step.instruction, to: max(1, room)))", Style(.text, .bold))])
    }
}
