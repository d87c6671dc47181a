import Console
import Foundation
import MSAL

/// The ways of one sign-in in their order, and when one leads to the next.
struct SignInChain: Sendable {
    let ways: [SignInWay]
    /// The last of them was not asked for: it stands in for a broker that is not there, not for one that fails.
    private let isCompleted: Bool

    /// - Parameter best: what fits the machine.
    init(_ asked: [SignInWay], otherwise best: SignInWay) {
        isCompleted = asked == [.broker]
        ways = isCompleted ? [.broker, best] : asked.isEmpty ? [.browser] : asked
    }

    /// Why the way at `index` ended and what comes next, in one line; `nil` when its end is that of the sign-in.
    func goingOn(after index: Int, _ error: any Error, isBrowserMissing: Bool) -> String? {
        guard index + 1 < ways.count else { return nil }
        let next = "Going on with \(ways[index + 1].article)."
        // The browser's own failure was told as it happened.
        if isBrowserMissing { return "  \(next)" }
        let isAbsent =
            (error as NSError).userInfo[MSALInternalErrorCodeKey] as? Int
            == MSALInternalError.internalBrokerNotAvailable.rawValue
        guard isAbsent || (!isCompleted && leavesTheNextOpen(error)) else { return nil }
        return "  ! \(FailureReport(error).description) \(next)"
    }

    /// The person's own word, and an answer that was given, hold for every way.
    private func leavesTheNextOpen(_ error: any Error) -> Bool {
        guard let error = error as? MSALAuthenticationError else { return false }
        let inner = error.userInfo[MSALInternalErrorCodeKey] as? Int
        switch MSALError(rawValue: error.code) {
        case .userCanceled, .serverDeclinedScopes: return false
        default: return inner != MSALInternalError.internalErrorMismatchedUser.rawValue
        }
    }
}

extension SignInWay {
    fileprivate var article: String {
        switch self {
        case .browser: "the browser"
        case .paste: "a browser elsewhere"
        case .device: "a code for another device"
        case .broker: "the identity broker"
        }
    }
}
