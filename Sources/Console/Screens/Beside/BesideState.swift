import Diagnosis
import TerminalUI

extension Destination {
    static func comparison(_ comparison: Comparison, of first: String, with second: String) -> Destination {
        Destination(BesideState(comparison, first, second))
    }
}

/// Two recordings side by side, up to the first difference.
struct BesideState: TextScreen, CopyingScreen {
    static var howToOpen: String {
        "Explain a recording with \(Verb.explain.label), then compare it with \(Verb.compare.label)."
    }
    enum Layer: String, KeyLayer { case all = "Comparison" }

    static let cover = Cover.watching

    private let text: ComparisonText
    var pane = TextPane()

    init(_ comparison: Comparison, _ first: String, _ second: String) {
        text = ComparisonText(comparison, first: first, second: second)
    }

    func text(in area: Rect, _ context: Context) -> [StyledLine] {
        let width = max(1, area.width - ScrollingText.margin)
        let verdict = text.comparison.isDifferent ? Style(.danger, .bold) : Style(.success, .bold)
        return StyledLine.wrap(Printable.sanitize(text.verdict), to: width, style: verdict)
            + text.differences.flatMap { difference in
                [.empty, StyledLine(Printable.sanitize(difference.name), .accent)]
                    + StyledLine.facts(
                        [
                            (text.first, Printable.sanitize(difference.first)),
                            (text.second, Printable.sanitize(difference.second)),
                        ], width: width, glyphs: context.glyphs)
            }
            + [.empty, StyledLine("Steps", Style(.title, .bold))]
            + text.comparison.steps.enumerated().flatMap { index, step in
                self.step(step, isLast: index == text.comparison.steps.count - 1, width, context)
            }
    }

    private func step(_ step: Comparison.Step, isLast: Bool, _ width: Int, _ context: Context) -> [StyledLine] {
        let differs = isLast && text.comparison.isDifferent
        let mark = differs ? context.glyphs.cross : context.glyphs.check
        let line = "\(mark) \(step.title):  \(step.first ?? "–")  |  \(step.second ?? "–")"
        return StyledLine.wrap(Printable.sanitize(line), to: width, style: differs ? .danger : .text)
    }

    func copyable(_ context: Context) -> CopiedText? {
        CopiedText("the comparison", fileName: "comparison.txt", lines(context).map { $0 + "\n" }.joined())
    }

    static let commands: [Command] =
        [copy("Copy the comparison to the clipboard."), saveCopy()] + moving() + finding()
        + leaving("Close this view.", walks: false)

    func lines(_ context: Context) -> [String] { text.lines.map(Printable.sanitize) }
}
