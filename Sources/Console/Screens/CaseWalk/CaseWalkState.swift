import Diagnosis
import TerminalUI

extension Destination {
    static func caseWalk(_ explained: Explained) -> Destination { Destination(CaseWalkState(explained)) }
}

/// Plays the messages of a recording like a scenario, with what each carries.
struct CaseWalkState: MovingScreen, PlayingScreen, CopyingScreen {
    static var howToOpen: String {
        "Explain a recording with \(Verb.explain.label), then walk it with \(Verb.scenarios.label)."
    }
    enum Layer: String, KeyLayer { case all = "Case" }

    static let cover = Cover.watching

    private let explained: Explained
    private(set) var position = 0
    private var beat = 0
    private var isPaused = false

    init(_ explained: Explained) { self.explained = explained }

    private var explanation: Explanation { explained.explanation }
    private var diagram: SequenceDiagram { explanation.markedDiagram ?? SequenceDiagram(title: "", arrows: []) }
    private var last: Int { max(0, diagram.arrows.count - 1) }
    private var isPlaying: Bool { position < last }

    func title(_ context: Context) -> String { explained.name.map { "Case \($0)" } ?? Layer.all.rawValue }

    func place(_ context: Context) -> String {
        diagram.arrows.isEmpty ? "" : StatusPlace.text(position, of: diagram.arrows.count)
    }

    func pace(_ context: Context) -> Pace { isPlaying && !isPaused && !context.options.noMotion ? .walking : .still }

    mutating func tick(_ context: inout Context) {
        guard isPlaying, !isPaused else { return }
        beat += 1
        if beat >= Self.beats { show(position + 1) }
    }

    /// As long as a message of a scenario without a page.
    private static let beats = 2

    private mutating func show(_ index: Int) {
        position = max(0, min(index, last))
        beat = 0
        // It stops where it went wrong.
        if index == explanation.failingArrow { isPaused = true }
    }

    func extent(_ context: Context) -> Extent? {
        diagram.arrows.isEmpty ? nil : Extent(position: position, last: last, page: 5)
    }

    mutating func go(to position: Int, _ context: inout Context) { stop(at: position) }

    private mutating func stop(at index: Int) {
        isPaused = true
        show(index)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        surface.cursor = Surface.Cursor(rect.origin, isVisible: false)
        let (flow, below) = rect.splitBottom(min(Self.rowsBelow, rect.height / 2))
        let (rule, details) = below.splitTop(1)
        let lines = SequenceText.lines(of: diagram, first: position + 1, in: flow, glyphs: context.glyphs) {
            $0 == position
        }
        ScrollingText(lines).draw(on: &surface, in: flow)
        surface.drawRule(in: rule)
        ScrollingText.fitting(details, lines: { self.details($0, context) }).draw(on: &surface, in: details)
    }

    private static let rowsBelow = 11

    private func details(_ width: Int, _ context: Context) -> [StyledLine] {
        let width = max(1, width)
        guard let arrow = diagram.arrows[at: position] else { return [] }
        func bold(_ text: String, _ style: Style) -> [StyledLine] {
            StyledLine.wrap(Printable.sanitize(text), to: width, style: style.adding(.bold))
        }
        func facts(_ rows: [Explanation.Row]) -> [StyledLine] {
            let facts = rows.map { (Printable.sanitize($0.name), Optional(Printable.sanitize($0.value))) }
            return StyledLine.facts(facts, width: width, glyphs: context.glyphs)
        }
        let verdict = cause(at: position).map {
            bold("\(context.glyphs.cross) \($0.fact)", .danger) + facts(explanation.evidence(of: $0))
        }
        return (verdict ?? []) + bold(arrow.sentence, .text) + facts(explanation.rows(of: position))
    }

    private func cause(at position: Int) -> CheckFinding? {
        position == explanation.failingArrow ? explanation.firstProblem : nil
    }

    func copyable(_ context: Context) -> CopiedText? {
        explanation.ticket.map { CopiedText("the answer", fileName: "answer.txt", $0.text(for: $0.reader)) }
    }

    static let commands: [Command] =
        [
            Command(
                "nextMessage", .verb(.nextStep) + [.right, .character("l")], "Show the next message, and pause.",
                hint: "next", inLines: .absent,
                if: { state, _ in Availability(state.position < state.last, else: "This is the last message.") },
                do: changing { $0.stop(at: $0.position + 1) }),
            Command(
                "previousMessage", .verb(.previousStep) + [.left, .character("h")], "Show the message before.",
                hint: "back", inLines: .absent,
                if: { state, _ in Availability(state.position > 0, else: "This is the first message.") },
                do: changing { $0.stop(at: $0.position - 1) }),
            Command(
                "pause", [.character(" ")], "Pause or continue the playback.", hint: "play/pause", inLines: .absent,
                if: { state, _ in Availability(state.isPlaying, else: "All messages are shown.") },
                do: changing { $0.isPaused.toggle() }),
            Command(
                "failure", [.enter], "Go to the message that shows the cause.", hint: "the cause", inLines: .absent,
                if: { state, _ in
                    Availability(state.explanation.failingArrow != nil, else: "No message shows the cause.")
                },
                do: changing { $0.stop(at: $0.explanation.failingArrow ?? $0.position) }),
            copy("Copy the answer for whoever must act."), saveCopy(),
        ] + moving() + finding() + leaving("Close this view.", walks: false)

    func lines(_ context: Context) -> [String] {
        diagram.arrows.enumerated().flatMap { index, arrow in
            ["\(index + 1). \(arrow.sentence)"]
                + (cause(at: index).map { cause in
                    ["failed: \(cause.fact)"] + explanation.evidence(of: cause).map { "  \($0.name)  \($0.value)" }
                } ?? [])
                + explanation.rows(of: index).map { "  \($0.name)  \($0.value)" }
        }.map(Printable.sanitize)
    }
}
