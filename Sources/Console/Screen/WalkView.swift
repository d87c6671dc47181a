import TerminalUI

/// The guided walk below the screen: what to look at, and the next step.
struct WalkView {
    private let walk: GuidedWalk
    @Boxed private var context: Context

    init?(_ context: Context) {
        guard let walk = context.walkBelow, !walk.isLeft, context.size.height >= 12, context.stage.showsWalk else {
            return nil
        }
        self.walk = walk
        self.context = context
    }

    var height: Int { min(lines(context.size.width - 2).count + 1, context.size.height * 2 / 5) }

    func draw(on surface: inout Surface, in rect: Rect) {
        guard rect.height > 1 else { return }
        surface.drawRule(in: rect)
        let text = rect.splitTop(1).rest
        ScrollingText.fitting(text, lines: lines).draw(on: &surface, in: text)
    }

    private func lines(_ width: Int) -> [StyledLine] {
        let width = max(1, width)
        // While a step plays, its note would give the result away.
        if context.showsPlayback, let shown = walk.shown { return [line(of: shown, width)] }
        guard walk.next == nil else { return [line(of: walk.done, width)] + comment(width) }
        return comment(width) + (walk.showsEarlier ? [] : StyledLine.wrap(walk.lesson, to: width, style: .accent))
    }

    private func comment(_ width: Int) -> [StyledLine] {
        if let stop = walk.stop {
            return StyledLine.wrap("\(context.glyphs.cross) \(stop)", to: width, style: .danger)
                + StyledLine.wrap(
                    "Press \(Verb.nextStep.label) to retry, \(Verb.inspect.label) to inspect the requests.", to: width)
        }
        let place = walk.showsEarlier ? walk.shown : walk.records.indices.last
        guard let place else {
            return walk.story.isEmpty ? [] : StyledLine.wrap("\(walk.title): \(walk.story)", to: width)
        }
        guard !walk.isAdHoc else { return [] }
        // The line above it is that of the next step.
        return StyledLine.wrap("Note on step \(place + 1): \(walk.steps[place].look)", to: width)
    }

    /// The next step, or the one that plays. It comes first, so that it's never cut off.
    private func line(of index: Int, _ width: Int) -> StyledLine {
        let marks = context.walkMarks(walk, at: index)
        let place = "\(index + 1) of \(walk.steps.count): "
        let start =
            context.isStepInProgress
            ? [Span(" Step \(place)", .muted)]
            : [Span(" Press ", .muted), Span(Verb.nextStep.label, .key), Span(" for step \(place)", .muted)]
        let room = width - marks.count - start.map(\.text.count).reduce(0, +)
        return StyledLine(
            [Span(marks, .muted)] + start
                + [Span(TextFitting.fit(walk.steps[index].instruction, to: max(1, room)), Style(.text, .bold))])
    }
}
