extension Failure {
    /// What the reader can do next. Each reader has its own words: the library names a request, the command line a command, and
    /// a screen a key.
    package enum NextStep: Sendable, Equatable, CaseIterable {
        /// Sign in, with the user present.
        case signIn
        /// Sign in as the advice says.
        case signInAsAdvised
        case tryAgain
        /// Check the set-up.
        case check
        /// Change the sign-in method, scopes or tenant.
        case changeRequest
        /// Change the client ID, authority or redirect URI.
        case changeProfile
        case chooseProfile

        /// The usual next step after a failure.
        init(after kind: MSALFailureKind, _ internalCode: Int?) {
            let code = internalCode.flatMap(MSALInternalError.init)
            self =
                switch kind {
                case .signInRequired: .signInAsAdvised
                // The check also covers the redirect URI and its registration.
                case .misconfigured: code.map(Self.ofProfile.contains) == true ? .changeProfile : .check
                case .rejected, .protocolViolation, .unavailable, .canceled, .declinedScopes, .store, .other:
                    code.map(Self.ofRequest.contains) == true ? .changeRequest : .tryAgain
                }
        }

        /// The codes of failures that another profile can prevent.
        private static let ofProfile: [MSALInternalError] = [
            .internalErrorInvalidClient, .internalErrorUnauthorizedClient, .internalErrorFailedAuthorityValidation,
            .internalErrorUnhandledResponse,
        ]

        /// The codes of failures that another request can prevent.
        private static let ofRequest: [MSALInternalError] = [
            .internalErrorInvalidScope, .internalErrorInvalidParameter, .internalErrorMismatchedUser,
        ]

        /// The library's words. Empty where the advice says it all.
        package var sentence: String {
            switch self {
            case .signIn: "Sign in interactively."
            case .signInAsAdvised, .tryAgain, .check, .changeRequest, .changeProfile, .chooseProfile: ""
            }
        }
    }
}
