import Diagnosis
import TerminalUI

extension Destination {
    /// - Parameter source: the explained text, or the name of its file.
    static func beside(_ source: String, name: String?) -> Destination {
        Destination(BesideEntry(source: source, name: name))
    }

    static func comparison(_ comparison: Comparison, of first: String, with second: String) -> Destination {
        Destination(BesideState(comparison, first, second))
    }
}

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
                        [(text.first, difference.first), (text.second, difference.second)].map {
                            ($0, Printable.sanitize($1))
                        }, width: width, glyphs: context.glyphs)
            }
            + [.empty, StyledLine("Steps", Style(.title, .bold))]
            + text.comparison.steps.dropLast().flatMap { step($0, differs: false, width, context) }
            + (text.comparison.steps.last.map { step($0, differs: text.comparison.isDifferent, width, context) } ?? [])
    }

    private func step(_ step: Comparison.Step, differs: Bool, _ width: Int, _ context: Context) -> [StyledLine] {
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

struct BesideEntry: EntryScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Compare" }

    static let closing = Wait.Closing.cancel

    let source: String
    let name: String?
    var entry = DialogField()
    var running: EffectID?

    private static let message = "File of a recording that works, for example another user's."

    func message(_ context: Context) -> String { running == nil ? Self.message : "Comparing." }

    static let commands: [Command] = [
        Command("compareWith", [.enter], "Compare with this file.", hint: "compare", inLines: .absent) {
            $0.submit($0.entry.text, &$1)
        },
        back("Close the dialog.", hint: "back"), interrupt,
    ]

    private mutating func submit(_ text: String, _ context: inout Context) -> Reaction {
        guard running == nil, !text.isEmpty else { return .none }
        entry.hush()
        return start(.compare(source, with: text), &context)
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .compared(let outcome) = result else { return .none }
        switch outcome {
        case .success(let comparison):
            return .move(.replace(.comparison(comparison, of: name ?? "the text", with: entry.text)))
        case .failure(let report):
            entry.tell(report)
            return .none
        }
    }

    func lines(_ context: Context) -> [String] { [entry.problem ?? Self.message] }
    func question(_ context: Context) -> LineQuestion? { LineQuestion(prompt: "File") }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        entry = DialogField(text)
        return submit(text, &context)
    }
}
