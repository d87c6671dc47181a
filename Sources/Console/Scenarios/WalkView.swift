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
        surface.drawRule(in: rect)
        let text = rect.splitTop(1).rest
        ScrollingText.fitting(text, lines: lines).draw(on: &surface, in: text)
    }

    private func lines(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        let ending = walk.next == nil ? StyledLine.wrap(walk.teaches, to: width, style: .accent) : []
        return [next(width)].compactMap(\.self) + comment(width) + ending
    }

    private func comment(_ width: Int) -> [StyledLine] {
        if let stop = walk.stop {
            return StyledLine.wrap("\(model.glyphs.cross) \(stop)", to: width, style: .danger)
                + StyledLine.wrap("\(key(.walkOn)) does it again, \(key(.inspect)) shows what was sent.", to: width)
        }
        return StyledLine.wrap(walk.last.map { "Look: \($0.look)" } ?? "\(walk.title): \(walk.story)", to: width)
    }

    private func key(_ command: CommandID) -> String {
        KeyLabel.text(Commands.command(command, on: .accounts)?.keys ?? [], ascii: model.options.ascii)
    }

    /// First, so that it is never what has no room.
    private func next(_ width: Int) -> StyledLine? {
        guard let step = walk.next else { return nil }
        let place = "\(walk.done + 1)/\(walk.steps.count)"
        let start = [
            Span(place, .muted), Span(" "), Span(walk.running == nil ? key(.walkOn) : model.glyphs.ellipsis, .key),
        ]
        let room = width - place.count - 3
        return StyledLine(
            start + [Span(" \(TextFitting.fit(step.instruction, to: max(1, room)))", Style(.text, .bold))])
    }
}
