/// The steps of a long operation, each with mark, label and duration.
package struct ProgressSteps: Sendable, Hashable {
    package enum State: Sendable, Hashable, CaseIterable {
        case pending, running, succeeded, failed, skipped
    }

    package struct Step: Sendable, Hashable {
        package var state: State
        package var label: String
        package var detail: String
        /// The duration as displayed, such as `0.3 s`.
        package var duration: String

        package init(_ state: State, _ label: String, detail: String = "", duration: String = "") {
            self.state = state
            self.label = label
            self.detail = detail
            self.duration = duration
        }
    }

    package var steps: [Step]
    /// The counter that selects the spinner's frame.
    package var tick: Int
    package var motion: Bool

    package init(_ steps: [Step], tick: Int = 0, motion: Bool = true) {
        self.steps = steps
        self.tick = tick
        self.motion = motion
    }

    /// A line per step, with its detail on lines below.
    package func lines(width: Int, glyphs: Glyphs = .unicode) -> [StyledLine] {
        let timeWidth = steps.map { DisplayWidth.of($0.duration) }.max() ?? 0
        let longest = steps.map { DisplayWidth.of($0.label) }.max() ?? 0
        let labelWidth = max(1, min(longest, width - 2 - (timeWidth > 0 ? timeWidth + 2 : 0)))
        return steps.flatMap { step -> [StyledLine] in
            let label = TextFitting.fit(step.label, to: labelWidth, ellipsis: glyphs.ellipsis)
            let time = TextFitting.fit(step.duration, to: timeWidth, alignment: .trailing)
            let first = StyledLine([
                Span(mark(step.state, glyphs) + " ", step.state.markStyle), Span(label, step.state.labelStyle),
                Span("  " + time, .muted),
            ])
            let more = step.detail.isEmpty ? [] : StyledLine.wrap(step.detail, to: max(1, width - 2), style: .muted)
            return [first] + more.map { StyledLine([Span("  ")] + $0.spans) }
        }
    }

    private func mark(_ state: State, _ glyphs: Glyphs) -> String {
        switch state {
        case .pending: glyphs.pending
        case .running: glyphs.spinnerFrame(tick: tick, motion: motion)
        case .succeeded: glyphs.check
        case .failed: glyphs.cross
        case .skipped: glyphs.dash
        }
    }
}

extension ProgressSteps.State {
    fileprivate var markStyle: Style {
        switch self {
        case .pending, .skipped: .muted
        case .running: .accent
        case .succeeded: .success
        case .failed: .danger
        }
    }

    fileprivate var labelStyle: Style {
        switch self {
        case .pending, .skipped: .muted
        case .running: Style(.text, .bold)
        case .succeeded: .text
        case .failed: .danger
        }
    }
}
