import Foundation

/// The guided walk through a scenario, which continues on any screen.
extension Context {
    var canWalkOn: Availability {
        guard let walk = profile?.walk else { return .unavailable("No guided walk is open.") }
        if walk.running != nil { return .unavailable("The step is still running.") }
        return Availability(walk.next != nil, else: "The walk is complete.")
    }

    mutating func walkOn() -> Reaction {
        guard var walk = profile?.walk, let step = walk.next else { return .none }
        let id = makeEffectID()
        if step.action == .wait { walk.goOn() } else { walk.begin(id) }
        profile?.walk = walk
        spinner = 0
        if step.action != .wait, step.action != .remove { traces.begin(id, step.instruction) }
        switch step.action {
        case .wait: return .move(.home(nil))
        case .signIn(let method):
            let request = SignInRequest(scopes: step.scopes, method: method)
            return Reaction(move: .home(.walkSignIn(id, request)), effects: [.performStep(id, step)])
        case .acquireSilently:
            return Reaction(move: .home(.walkSilent(id, account(of: step))), effects: [.performStep(id, step)])
        case .remove:
            accounts.removing = AccountsState.Removal(id: id, account: account(of: step))
            return Reaction(move: .home(nil), effects: [.performStep(id, step)])
        }
    }

    /// The account of a step. An account that isn't cached has only its username.
    private func account(of step: GuidedWalk.Step) -> AccountSummary {
        accounts.all.first { $0.username == step.username }
            ?? AccountSummary(identifier: "", username: step.username, environment: "")
    }

    /// Advances the walk if the effect ended as expected.
    mutating func endStep<Value>(_ id: EffectID, _ outcome: Outcome<Value>) {
        switch outcome {
        case .success: profile?.walk?.end(id, nil)
        case .failure(let report): profile?.walk?.end(id, report)
        }
    }

    /// Stops a cancelled step, so that it can be repeated.
    mutating func stopStep(_ id: EffectID) {
        if profile?.walk?.running == id { profile?.walk?.running = nil }
    }
}
