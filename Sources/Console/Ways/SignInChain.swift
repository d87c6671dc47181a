import AuthEngine

/// The ways of one sign-in in their order, and when one leads to the next.
package struct SignInChain: Sendable, Equatable {
    package let ways: [SignInWay]
    /// The last of them was not asked for: it stands in for a broker that is not there, not for one that fails.
    private let isCompleted: Bool

    /// - Parameter best: what fits the machine.
    package init(_ asked: [SignInWay], otherwise best: SignInWay) {
        isCompleted = asked == [.broker]
        ways = isCompleted ? [.broker, best] : asked.isEmpty ? [.browser] : asked
    }

    /// Whether the wait for the browser at `index` is to be ended, because none could be started. As the last way it goes
    /// on: the person can still open the address by hand.
    package func givesUp(at index: Int, on event: MSALFlowEvent) -> Bool {
        index + 1 < ways.count && ways[index] == .browser && event.step == .openBrowser && event.phase == .failed
    }

    /// Why the way at `index` ended and what comes next; `nil` when its end is that of the sign-in.
    /// - Parameter browserFailure: what was told when no browser could be started, for which the wait was ended.
    package func refusal(of index: Int, _ report: ErrorReport, browserFailure: String? = nil) -> SignInRefusal? {
        guard index + 1 < ways.count else { return nil }
        let next = ways[index + 1]
        if let browserFailure { return SignInRefusal(browserFailure, next: next, isToldAsStep: true) }
        guard report.isBrokerAbsent || (!isCompleted && Self.leavesTheNextOpen(report)) else { return nil }
        return SignInRefusal(report.reason, next: next)
    }

    /// The person's own word, and an answer that was given, hold for every way.
    private static func leavesTheNextOpen(_ report: ErrorReport) -> Bool {
        guard report.domain == MSALErrorDomain else { return false }
        switch MSALError(rawValue: report.code) {
        case .userCanceled, .serverDeclinedScopes: return false
        default: return report.internalCode != MSALInternalError.internalErrorMismatchedUser.rawValue
        }
    }
}

extension ErrorReport {
    /// There is no identity broker to ask.
    var isBrokerAbsent: Bool { internalCode == MSALInternalError.internalBrokerNotAvailable.rawValue }
}
