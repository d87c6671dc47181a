import TerminalUI

/// The error: headline, reason, next step, and the codes to quote to support.
struct FailureView {
    let state: FailureState
    let context: Context

    var pageHeight: Int { context.frame.body.height }
    var lastTop: Int { ScrollingText(lines).lastOffset(height: pageHeight) }

    func draw(on surface: inout Surface, in body: Rect) {
        ScrollingText(lines, offset: state.top).draw(on: &surface, in: body)
        surface.cursor = Surface.Cursor(body.origin, isVisible: false)
    }

    private var lines: [StyledLine] {
        let width = context.frame.body.width - 2
        let report = state.report
        let headline = StyledLine.wrap(
            "\(context.glyphs.cross) \(report.headline)", to: width, style: Style(.danger, .bold))
        let help = StyledLine.facts(
            [("Why", report.reason), ("Next", advice), ("Press", press), ("Help", support)], width: width,
            glyphs: context.glyphs)
        return headline + [.empty] + help + [.empty]
            + StyledLine.facts(report.facts(in: context.options.timeZone), width: width, glyphs: context.glyphs)
            + meaningLines(width: width)
    }

    private var wait: String? { state.report.wait(at: context.now).map(Moment.countdown) }

    /// The library's advice, or a countdown until the server accepts requests again.
    private var advice: String {
        guard state.report.retryDate != nil else { return state.report.bestAdvice }
        return wait.map { "Try again in \($0)." } ?? "Try again now."
    }

    /// The next step, as a key to press.
    private var press: String {
        "Enter to \(state.nextStep.words)"
            + (wait == nil ? "" : " now, although the server asked to wait")
    }

    /// How to write a support report.
    private var support: String? {
        let key = FailureState.key(of: "report", in: .all, ascii: context.options.ascii)
        return "\(key) writes a support report without secrets or names"
    }

    private func meaningLines(width: Int) -> [StyledLine] {
        let meanings = state.report.meanings
        guard !meanings.isEmpty else { return [] }
        return [.empty, StyledLine("What the codes mean", Style(.muted, .bold))]
            + StyledLine.facts(meanings, width: width, glyphs: context.glyphs)
    }
}
