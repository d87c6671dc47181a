import Foundation

/// The picker and the walk.
extension Model {
    mutating func performOnScenarios(_ command: CommandID) -> [Effect] {
        switch command {
        case .scenarios:
            routes.append(.scenarios(ScenariosState()))
            return []
        case .startScenario: return startScenario()
        default: return performNextStep()
        }
    }

    private mutating func startScenario() -> [Effect] {
        guard case .scenarios(var state) = routes.last, state.opening == nil,
            let scenarios = profile?.scenarios, scenarios.indices.contains(state.selection)
        else { return [] }
        let id = makeEffectID()
        state.opening = id
        replaceTop(.scenarios(state))
        return [.openScenario(id, scenarios[state.selection].name)]
    }

    mutating func take(scenario outcome: Outcome<ProgramProfile>, of id: EffectID) -> [Effect] {
        guard case .scenarios(let state) = routes.last, state.opening == id else { return [] }
        switch outcome {
        case .success(let profile):
            return [begin(with: profile)]
        case .failure(let report):
            replaceTop(.scenarios(ScenariosState()))
            notice = Notice(.warning, "\(report.reason) \(report.advice)")
            return []
        }
    }

    private mutating func performNextStep() -> [Effect] {
        guard var walk = profile?.walk, let step = walk.next else { return [] }
        routes = []
        let id = makeEffectID()
        if step.action == .wait { walk.goOn() } else { walk.begin(id) }
        set(walk)
        spinner = 0
        if step.action != .wait, step.action != .remove { traces.begin(id, step.instruction) }
        switch step.action {
        case .wait: return []
        case .signIn(let way):
            routes.append(.signIn(SignInState(id: id, request: SignInRequest(scopes: step.scopes, way: way))))
        case .acquireSilently: routes.append(.silent(SilentState(id: id, account: account(of: step))))
        case .remove: accounts.removing = AccountsState.Removal(id: id, account: account(of: step))
        }
        return [.performStep(id, step)]
    }

    /// The account that a step is about. One that has left the cache, or is not in it yet, is known by its name alone.
    private func account(of step: GuidedWalk.Step) -> AccountSummary {
        accounts.all.first { $0.username == step.username }
            ?? AccountSummary(identifier: "", username: step.username, environment: "")
    }

    /// Moves the walk on when an effect has ended as the scenario says.
    mutating func endStep<Value>(_ id: EffectID, _ outcome: Outcome<Value>) {
        guard var walk = profile?.walk else { return }
        switch outcome {
        case .success: walk.end(id, nil)
        case .failure(let report): walk.end(id, report)
        }
        set(walk)
    }

    /// A step that was cancelled can be done again.
    mutating func stopStep(_ id: EffectID) {
        guard var walk = profile?.walk, walk.running == id else { return }
        walk.running = nil
        set(walk)
    }

    private mutating func set(_ walk: GuidedWalk) {
        guard case .accounts(var profile) = root else { return }
        profile.walk = walk
        root = .accounts(profile)
    }
}
