import Console
import Diagnosis
import MSAL
import TerminalUI

/// A scenario played by its scripted user, in lines. Each step must end as the scenario says. Never prints tokens.
struct Tour {
    private let scenario: Scenario
    private let sink: any TextSink
    private let look: OutputLook

    init(_ scenario: Scenario, to sink: any TextSink, _ look: OutputLook = .plain) {
        self.scenario = scenario
        self.sink = sink
        self.look = look
    }

    func play(_ player: WalkPlayer) async throws {
        try say(["\(scenario.title): \(scenario.story)"])
        let model = await player.play(onStep: { model in
            let lines = model.stepLines.stepLines
            // The lesson can't be written either, and reports the failure.
            if !lines.isEmpty { try? sink.write("\n" + lines.map(text).joined()) }
        })
        try Self.check(model, of: scenario)
        try say(["", "Lesson", scenario.teaches])
    }

    static func check(_ model: Model, of scenario: Scenario, steps: Int = .max) throws {
        guard let walk = model.walk, walk.stop != nil || walk.done < min(steps, walk.steps.count) else { return }
        throw Failure(
            .failed, name: "scenario", "Step \(walk.done + 1) of \(scenario.name) had an unexpected outcome.",
            nextStep: "Report this bug.")
    }

    private func say(_ lines: [String]) throws {
        for line in lines { try sink.write(text(of: line)) }
    }

    /// On a terminal, what has gone well or badly has a mark.
    private func text(_ line: Handout.Line) -> String {
        guard look.theme != nil, let isGood = line.isGood else { return text(of: line.text) }
        let verdict: CheckFinding.Verdict = isGood ? .passed : .failed
        let mark = verdict.mark(.unicode)
        let words = line.text.drop { $0 == " " }
        let indent = String(line.text.prefix { $0 == " " })
        return look.painted(look.hang(String(words), after: "\(indent)\(mark) "), mark, verdict.style)
    }

    private func text(of line: String) -> String {
        let line = Printable.sanitize(line)
        // In a pipe, lines have no hanging indent.
        guard look.columns != nil else {
            return TextFitting.wrap(line, to: 100, breaksWords: false).map { "\($0)\n" }.joined()
        }
        // The indent, and the number of a step or of one of its messages.
        let start = line.prefixMatch(of: #/ *(\d+\. )?/#)?.output.0 ?? ""
        return look.hang(String(line.dropFirst(start.count)), after: String(start))
    }
}
