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
            [("Why", report.reason), ("Next", report.advice), ("Press", press)], width: width, glyphs: model.glyphs)
        return headline + [.empty] + help + [.empty]
            + StyledLine.facts(report.facts(in: model.options.timeZone), width: width, glyphs: model.glyphs)
    }

    /// The next step as a key.
    private var press: String {
        switch (state.attempt, state.report.remedy) {
        case (_, .none): "Esc to go back"
        case (.silent, _): "r to try again, i to sign in with the browser"
        case (_, .signIn): "i to sign in with the browser"
        case (_, .tryAgain): "r to try again"
        }
    }
}
