import Console
import DemoAuthority

extension DemoSetting {
    /// As the terminal program shows it, with whoever can sign in.
    var shown: ProgramProfile { shown(scenario.directory.people(at: .anyone)) }

    private func shown(_ people: [Person]) -> ProgramProfile {
        profile.shown(hints: PeopleHints.lines(people), isDemo: true)
    }

    /// The scenario as the terminal program shows it.
    func opened(withWalk: Bool) -> OpenedScenario {
        var shown = withWalk ? shown(scenario.people) : shown
        shown.scenarios = Scenario.all.map { ScenarioSummary(name: $0.name, title: $0.title, story: $0.story) }
        shown.walk = withWalk ? scenario.walk : nil
        return OpenedScenario(profile: shown, application: application, authority: stage().authority)
    }
}

extension Scenario {
    var walk: GuidedWalk {
        GuidedWalk(title: title, story: story, steps: steps.map(walkStep), teaches: teaches)
    }

    private func walkStep(_ step: Step) -> GuidedWalk.Step {
        GuidedWalk.Step(
            step.action.walked, instruction: step.instruction(in: directory), look: step.look, username: step.username,
            scopes: step.request.scopes ?? client.scopes, segment: step.request.segment, claims: step.request.claims,
            isForced: step.request.isForced, application: step.request.application,
            expectedFailure: step.outcome.failure?.rawValue)
    }
}

extension Scenario.Step.Action {
    fileprivate var walked: GuidedWalk.Step.Action {
        switch self {
        case .signIn: .signIn(.browser)
        case .enterCode: .signIn(.device)
        case .acquireSilently: .acquireSilently
        case .remove: .remove
        case .wait: .wait
        }
    }
}

extension Scenario.Step.Outcome {
    fileprivate var failure: Scenario.Step.Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
