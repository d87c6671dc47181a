import TerminalUI

/// The steps of a flow as lines, with as much detail as fits.
struct StepList {
    let steps: [FlowProgress.Step]
    let method: SignInMethod
    @Boxed var context: Context
    var rejections: [SignInRejection] = []
    /// Whether to show more than the current step and those that failed.
    var showsAll = true

    private static let labelWidth = 32
    private static let narrowestWithTimes = 34

    private static let detailChoices: [@Sendable (FlowProgress.Step.State) -> Bool] = [
        { _ in true }, { $0 == .running || $0 == .failed }, { _ in false },
    ]

    /// Versions of the list, from the fullest to the current step alone.
    func choices(width: Int) -> [[StyledLine]] {
        let current = steps.last { $0.state != .pending } ?? steps.first
        let before = rejections.flatMap { warning($0.text, width) }
        let alone = lines(current.map { [$0] } ?? [], details: { _ in false }, width)
        if !showsAll {
            let shown = steps.filter { $0.state == .failed || $0.step == current?.step }
            return [before + lines(shown, details: { $0 == .failed }, width), before + alone, alone]
        }
        let begun = steps.filter { $0.state != .pending }
        return Self.detailChoices.map { before + lines(steps, details: $0, width) }
            + [lines(begun, details: { _ in false }, width), alone]
    }

    private func lines(
        _ steps: [FlowProgress.Step], details: (FlowProgress.Step.State) -> Bool, _ width: Int
    ) -> [StyledLine] {
        let showsTimes = width >= Self.narrowestWithTimes
        let labelWidth = max(1, min(Self.labelWidth, width - (showsTimes ? 14 : 4)))
        return steps.flatMap { step -> [StyledLine] in
            let (mark, markStyle, labelStyle) = look(of: step.state)
            let label = TextFitting.fit(step.step.title(by: method), to: labelWidth)
            let time = step.duration(by: context.now).map(Moment.duration) ?? ""
            let shownTime = showsTimes ? TextFitting.fit(time, to: 10, alignment: .trailing) : ""
            let first = StyledLine([
                Span("\(mark) ", markStyle), Span(label, labelStyle), Span("  \(shownTime)", .muted),
            ])
            let detail = details(step.state) ? step.detail : ""
            let more = detail.isEmpty ? [] : StyledLine.wrap(detail, to: max(1, width - 2), style: .muted)
            return [first] + more.map(\.indented) + remarkLines(step, width)
        }
    }

    /// A step shows its state by the mark, not only by colour.
    private func look(of state: FlowProgress.Step.State) -> (mark: String, markStyle: Style, labelStyle: Style) {
        switch state {
        case .pending: (context.glyphs.pending, .muted, .muted)
        case .running: (context.spinnerFrame, .accent, Style(.text, .bold))
        case .succeeded: (context.glyphs.check, .success, .text)
        case .failed: (context.glyphs.cross, .danger, .danger)
        }
    }

    private func remarkLines(_ step: FlowProgress.Step, _ width: Int) -> [StyledLine] {
        guard let last = step.remarks.last else { return [] }
        let count = step.remarks.count == 1 ? "" : " (\(step.remarks.count) total)"
        return warning("\(last)\(count)", width - 1).map(\.indented)
    }

    private func warning(_ text: String, _ width: Int) -> [StyledLine] {
        StyledLine.wrap("\(context.glyphs.warning) \(text)", to: max(1, width - 1), style: .warning)
    }
}

/// The fullest content for a running flow that fits in the window. The address comes first, because the user may have
/// to open it by hand; in the demo, the users and passwords do, because the browser usually opens by itself. Then come
/// the heading, the steps and their details.
struct FlowPlan {
    /// The steps, then the hints.
    let above: [StyledLine]
    let below: [StyledLine]

    private static let leastAddress = 3

    /// - Parameter steps: versions of the step list, from the fullest to the current step alone.
    /// - Parameter keepsHints: whether the hints matter more than the end of the address.
    /// - Parameter note: the line that says how many address lines are left out.
    init(
        steps: [[StyledLine]], hints: [StyledLine], keepsHints: Bool, heading: [StyledLine], address: [StyledLine],
        height: Int, note: (Int) -> StyledLine
    ) {
        let heading = address.isEmpty ? [] : heading
        let current = steps.last ?? []
        let names = steps.dropLast().last ?? current
        typealias Choice = (above: [StyledLine], heading: [StyledLine], least: Int)
        let gap: [StyledLine] = address.isEmpty ? [] : [.empty]
        /// Without the heading, the user doesn't know what to do with the address.
        func titled(_ hints: [StyledLine]) -> [Choice] { steps.map { ($0 + hints, heading, address.count) } }
        func untitled(_ hints: [StyledLine]) -> [Choice] {
            [gap, []].flatMap { gap in [names, current].map { ($0 + hints, gap, address.count) } }
        }
        let cropped: [Choice] = [names, current].map { ($0 + hints, [], min(Self.leastAddress + 1, address.count)) }
        let all = titled(hints) + (keepsHints ? cropped : []) + titled([]) + untitled(hints) + untitled([])
        let best = all.first { $0.above.count + $0.heading.count + $0.least <= height } ?? (current, [], 0)
        above = best.above
        let room = height - best.above.count
        if best.heading.count + address.count <= room {
            below = best.heading + address
        } else {
            let head = address.prefix(max(0, room - 1))
            below = head + [note(address.count - head.count)]
        }
    }
}
