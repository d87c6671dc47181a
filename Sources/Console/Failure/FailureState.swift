/// Something failed, and what the person was doing.
package struct FailureState: Sendable, Equatable {
    package var report: ErrorReport
    package var attempt: Attempt
    /// What can be inspected of what failed.
    package var flow: EffectID?
    /// The first line that is shown.
    package var top = 0

    package init(_ report: ErrorReport, attempt: Attempt, flow: EffectID? = nil) {
        self.report = report
        self.attempt = attempt
        self.flow = flow
    }
}

/// What can be tried again.
package enum Attempt: Sendable, Equatable {
    /// As the person began it: the request goes by the first way of the chain. Without a request: the profile's.
    case signIn(AccountSummary?, SignInRequest? = nil, in: SignInChain? = nil)
    case silent(AccountSummary, isForced: Bool = false)
    case removal(AccountSummary)
}
