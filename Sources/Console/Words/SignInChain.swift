import AuthEngine

/// The ways of one sign-in in their order, and when one leads to the next.
package struct SignInChain: Sendable, Equatable {
    package private(set) var ways: [SignInWay]
    /// Those after the first were not asked for: they stand in for a way that is not there, not for one that fails.
    private let isCompleted: Bool

    /// - Parameter usual: the ways that fit the machine, the profile and the authority.
    package init(_ asked: [SignInWay], otherwise usual: [SignInWay]) {
        ways = asked.isEmpty || asked == [.broker] ? asked + usual : asked
        isCompleted = ways.count > max(1, asked.count)
    }

    /// Leaves out of the ways after `index` those that cannot work.
    package mutating func keep(after index: Int, _ canWork: (SignInWay) -> Bool) {
        ways = ways.prefix(index + 1) + ways.dropFirst(index + 1).filter(canWork)
    }

    /// Whether the wait for the browser at `index` is to be ended, because none could be started. As the last way it goes
    /// on: the person can still open the address by hand.
    package func givesUp(at index: Int, on event: MSALFlowEvent) -> Bool {
        index + 1 < ways.count && ways[index] == .browser && event.step == .openBrowser && event.phase == .failed
    }

    /// Why the way at `index` ended and what comes next; `nil` when its end is that of the sign-in.
    /// - Parameters:
    ///   - isAbsent: the authority does not offer that way.
    ///   - browserFailure: what was told when no browser could be started, for which the wait was ended.
    package func refusal(
        of index: Int, _ report: ErrorReport, isAbsent: Bool = false, browserFailure: String? = nil
    ) -> SignInRefusal? {
        guard index + 1 < ways.count else { return nil }
        let next = ways[index + 1]
        if let browserFailure { return SignInRefusal(browserFailure, next: next, isToldAsStep: true) }
        let isThere = !isAbsent && !report.isBrokerAbsent
        if isThere, isCompleted || !Self.leavesTheNextOpen(report) { return nil }
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
