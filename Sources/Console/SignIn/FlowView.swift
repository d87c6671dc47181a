import TerminalUI

/// A running flow: its steps, and for a sign-in the address that the person can open by hand.
struct FlowView {
    private let model: Model
    private let progress: FlowProgress
    private let isInteractive: Bool

    init(_ state: SignInState, _ model: Model) {
        self.model = model
        progress = state.progress
        isInteractive = true
    }

    init(_ state: SilentState, _ model: Model) {
        self.model = model
        progress = state.progress
        isInteractive = false
    }

    func draw(on surface: inout Surface, in body: Rect) {
        // The address runs from edge to edge, so that marking it with the mouse takes up no blanks.
        let width = surface.size.width
        let steps = fittingSteps(body.size, beside: addressLines(width: width).count)
        let (top, rest) = body.splitTop(steps.count)
        ScrollingText(steps).draw(on: &surface, in: top)
        drawAddress(on: &surface, in: Rect(x: 0, y: rest.minY, width: width, height: rest.height))
        let running = steps.firstIndex { $0.spans.first?.style == .accent } ?? 0
        surface.cursor = Surface.Cursor(body.row(running).origin, isVisible: false)
    }

    /// The fullest account of the steps that leaves the address its room.
    private func fittingSteps(_ size: Size, beside address: Int) -> [StyledLine] {
        let all = progress.steps
        let current = all.last { $0.state != .pending } ?? all.first
        // What helps a newcomer sign in comes before the details of what is done.
        for hints in [hintLines(size.width), []] {
            for details in Self.detailChoices {
                let lines = stepLines(all, details: details, size.width) + hints
                if lines.count + address <= size.height { return lines }
            }
        }
        return stepLines(current.map { [$0] } ?? [], details: { _ in false }, size.width)
    }

    private static let detailChoices: [@Sendable (FlowProgress.Step.State) -> Bool] = [
        { _ in true }, { $0 == .running || $0 == .failed }, { _ in false },
    ]

    private func stepLines(
        _ steps: [FlowProgress.Step], details: (FlowProgress.Step.State) -> Bool, _ width: Int
    ) -> [StyledLine] {
        steps.flatMap { step -> [StyledLine] in
            let shown = ProgressSteps.Step(
                step.state.shown, TextFitting.fit(step.step.title, to: min(Self.labelWidth, width - 14)),
                detail: details(step.state) ? step.detail : "",
                duration: TextFitting.fit(
                    step.duration(by: model.now).map(Moment.duration) ?? "", to: 10, alignment: .trailing))
            let lines = ProgressSteps([shown], tick: model.spinner, motion: !model.options.noMotion)
                .lines(width: width, glyphs: model.glyphs)
            return lines + remarkLines(step, width)
        }
    }

    private static let labelWidth = 32

    private func remarkLines(_ step: FlowProgress.Step, _ width: Int) -> [StyledLine] {
        guard let last = step.remarks.last else { return [] }
        let count = step.remarks.count == 1 ? "" : " (\(step.remarks.count) so far)"
        return StyledLine.wrap("\(model.glyphs.warning) \(last)\(count)", to: max(1, width - 2), style: .warning)
            .map { StyledLine([Span("  ")] + $0.spans) }
    }

    private func hintLines(_ width: Int) -> [StyledLine] {
        guard isInteractive, let profile = model.profile, !profile.hints.isEmpty else { return [] }
        return [.empty] + profile.hints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
    }

    private func addressLines(width: Int) -> [StyledLine] {
        guard let url = progress.authorizationURL else { return [] }
        return [.empty, StyledLine(" If no browser opens, open this page yourself:", .muted)]
            + StyledLine.wrap(url.absoluteString, to: width, style: .link)
    }

    private func drawAddress(on surface: inout Surface, in rect: Rect) {
        let lines = addressLines(width: rect.width)
        if lines.count <= rect.height {
            ScrollingText(lines).draw(on: &surface, in: rect)
        } else if lines.count - 2 <= rect.height {
            // Without its heading it still fits.
            ScrollingText(Array(lines.dropFirst(2))).draw(on: &surface, in: rect)
        } else {
            let kept = lines.dropFirst(2).prefix(max(0, rect.height - 1))
            let note = StyledLine(" \(lines.count - 2 - kept.count) more lines: make the window larger.", .warning)
            ScrollingText(kept + [note]).draw(on: &surface, in: rect)
        }
    }
}

extension FlowProgress.Step.State {
    fileprivate var shown: ProgressSteps.State {
        switch self {
        case .pending: .pending
        case .running: .running
        case .succeeded: .succeeded
        case .failed: .failed
        }
    }
}
