import AuthEngine
import Foundation

/// What most probably helps after an error, as the screen proposes it.
package enum NextStep: Sendable, Equatable {
    case tryAgain, signIn
    /// Look what is wrong with the set-up.
    case check
    /// Another way, other scopes, another tenant.
    case changeRequest
    /// The client ID, the authority or the redirect URI.
    case changeProfile

    /// After "Enter", in a sentence.
    var words: String {
        switch self {
        case .tryAgain: "try again"
        case .signIn: "sign in"
        case .check: "check the set-up"
        case .changeRequest: "choose the scopes, the tenant or another way to sign in"
        case .changeProfile: "look at the profile: client ID, authority, redirect URI"
        }
    }
}

extension ErrorReport {
    package var nextStep: NextStep {
        switch kind {
        case .signInRequired: .signIn
        case .misconfigured:
            switch internalCode.flatMap(MSALInternalError.init) {
            // What the profile says; the rest, the redirect URI and its registration, is looked into by a check.
            case .internalErrorInvalidClient, .internalErrorUnauthorizedClient, .internalErrorFailedAuthorityValidation,
                .internalErrorUnhandledResponse:
                .changeProfile
            default: .check
            }
        case .refused, .protocolViolation, .unavailable, .canceled, .declinedScopes, .store, .other:
            switch internalCode.flatMap(MSALInternalError.init) {
            case .internalErrorInvalidScope, .internalErrorInvalidParameter, .internalErrorMismatchedUser:
                .changeRequest
            default: .tryAgain
            }
        }
    }

    /// The seconds that the server still wants to be left alone for; `nil` when it may be asked.
    func wait(at now: Date?) -> Int? {
        guard let now, let left = retryDate?.timeIntervalSince(now), left > 0, left < 1e9 else { return nil }
        return Int(left.rounded(.up))
    }
}
