/// What the keys of the error screen do.
extension Model {
    mutating func performOnFailure(_ command: CommandID) -> [Effect] {
        guard case .failure(let state) = routes.last else { return [] }
        routes.removeLast()
        let triesAgain = command == .tryAgain
        switch state.attempt {
        case .signIn(let account, var request?, let chain):
            if triesAgain { return [signIn(as: account, asking: request, in: chain)] }
            request.way = preferredWay
            return [signIn(as: account, asking: request, in: self.chain(startingWith: request.way))]
        case .signIn(let account, nil, _): return [signIn(as: account)]
        case .silent(let account, let isForced):
            return [triesAgain ? acquireSilently(account, isForced: isForced) : signIn(as: account)]
        case .removal(let account): return [remove(account)]
        }
    }

    /// What Enter does after an error: the step that the screen proposes.
    mutating func takeNextStep() -> [Effect] {
        guard case .failure(let state) = routes.last else { return [] }
        switch nextStep(after: state) {
        case .tryAgain: return performOnFailure(.tryAgain)
        case .signIn: return performOnFailure(.signInInstead)
        case .check: return perform(.check)
        case .changeRequest:
            routes.removeLast()
            return performOnForm(.signInOptions)
        case .changeProfile:
            routes.removeLast()
            return performOnProfiles(.profiles)
        }
    }

    /// A removal asks for nothing that could be changed.
    func nextStep(after state: FailureState) -> NextStep {
        if case .removal = state.attempt { return .tryAgain }
        return state.report.nextStep
    }
}
