import AuthEngine

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
        if remedy == .signIn { return .signIn }
        switch internalCode.flatMap(MSALInternalError.init) {
        case .internalErrorInvalidScope, .internalErrorInvalidParameter, .internalErrorMismatchedUser:
            return .changeRequest
        case .internalErrorInvalidClient, .internalErrorUnauthorizedClient, .internalErrorFailedAuthorityValidation:
            return .changeProfile
        case .internalErrorInvalidRedirectURI, .internalErrorRedirectSchemeNotRegistered: return .check
        default: return remedy == .none ? .check : .tryAgain
        }
    }
}
