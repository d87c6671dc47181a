import TerminalUI

/// What went wrong, why, what helps, and what to quote to somebody who can look further.
struct FailureView {
    let state: FailureState
    let model: Model

    init(_ state: FailureState, _ model: Model) {
        self.state = state
        self.model = model
    }

    var pageHeight: Int { model.frame.body.height }
    var lastTop: Int { ScrollingText(lines).lastOffset(height: pageHeight) }

    func draw(on surface: inout Surface, in body: Rect) {
        ScrollingText(lines, offset: state.top).draw(on: &surface, in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
    }

    private var lines: [StyledLine] {
        let width = model.frame.body.width - 2
        let report = state.report
        let headline = StyledLine.wrap(
            "\(model.glyphs.cross) \(report.headline)", to: width, style: Style(.danger, .bold))
        let help = StyledLine.facts(
            [("Why", report.reason), ("Next", advice), ("Press", press), ("Help", support)], width: width,
            glyphs: model.glyphs)
        return headline + [.empty] + help + [.empty]
            + StyledLine.facts(report.facts(in: model.options.timeZone), width: width, glyphs: model.glyphs)
            + meaningLines(width: width)
    }

    private var wait: String? { state.report.wait(at: model.now).map(Moment.countdown) }

    /// While the server wants to be left alone, how long that still is.
    private var advice: String {
        guard state.report.retryDate != nil else { return state.report.bestAdvice }
        return wait.map { "Try again in \($0)." } ?? "Try again now."
    }

    /// The next step as a key.
    private var press: String {
        "Enter to \(model.nextStep(after: state).words)"
            + (wait == nil ? "" : " now, though the server asked for a pause")
    }

    /// For whoever cannot help themselves: what to give to support.
    private var support: String? {
        Commands.command(.report, on: .failure).map { command in
            "\(KeyLabel.text(command.keys, ascii: model.options.ascii)) writes a report for support, without secrets and names"
        }
    }

    private func meaningLines(width: Int) -> [StyledLine] {
        let meanings = state.report.meanings
        guard !meanings.isEmpty else { return [] }
        return [.empty, StyledLine("What the codes mean", Style(.muted, .bold))]
            + StyledLine.facts(meanings, width: width, glyphs: model.glyphs)
    }
}
