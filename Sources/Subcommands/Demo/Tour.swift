import Console
import DemoAuthority
import MSAL
import TerminalUI

/// A scenario played by its scripted user, in lines. Each step must end as the scenario says. Never prints tokens.
struct Tour {
    private let scenario: Scenario
    private let sink: any TextSink

    init(_ scenario: Scenario, to sink: any TextSink) {
        self.scenario = scenario
        self.sink = sink
    }

    func play(_ player: WalkPlayer) async throws {
        try say(["\(scenario.title): \(scenario.story)"])
        let model = await player.play(onStep: { model in
            let lines = model.stepLines.step
            // The lesson can't be written either, and reports the failure.
            if !lines.isEmpty { try? say([""] + lines) }
        })
        try Self.check(model, of: scenario)
        try say(["", "Lesson", scenario.teaches])
    }

    /// Fails if one of the steps had an unexpected outcome.
    static func check(_ model: Model, of scenario: Scenario, steps: Int = .max) throws {
        guard let walk = model.walk, walk.stop != nil || walk.done < min(steps, walk.steps.count) else { return }
        throw Failure(
            .failed, name: "scenario", "Step \(walk.done + 1) of \(scenario.name) had an unexpected outcome.",
            nextStep: "Report this bug.")
    }

    private func say(_ lines: [String]) throws {
        for line in lines {
            for part in TextFitting.wrap(Printable.sanitize(line), to: 100, breaksWords: false) {
                try sink.write("\(part)\n")
            }
        }
    }
}
