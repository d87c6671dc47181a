import OAuthCore

/// What the person decided or has to do.
extension FailureDescription {
    static func person(_ failure: AuthenticationFailure) -> FailureDescription {
        switch failure {
        case .canceled:
            FailureDescription(.userCanceled, "The sign-in was cancelled.", next: "Start it again when you like.")
        case .interactionRequired(let reason):
            interactionRequired(reason)
        case .mismatchedAccount(let expected, let found):
            FailureDescription(
                .internalErrorMismatchedUser,
                "\(found ?? "Another user") signed in instead of \(expected ?? "the requested user"). "
                    + "Nothing was saved.",
                next: "Sign in as \(expected ?? "the requested user"). If the browser goes on with another session, "
                    + "sign out there first.")
        case .declinedScopes(let granted, let declined):
            declinedScopes(granted: granted, declined: declined)
        case .deviceCodeExpired:
            .deviceCodeExpired
        case .pasted(let reason, let redirectURI):
            .pasted(reason, redirectURI)
        case .nobodyWaits:
            FailureDescription(
                .internalErrorInvalidParameter, "No sign-in is waiting for an answer.", next: "Start one first.")
        default:
            unexpected("person")
        }
    }

    private static func interactionRequired(
        _ reason: AuthenticationFailure.InteractionReason
    ) -> FailureDescription {
        let next = "Sign in interactively."
        switch reason {
        case .noAccount:
            return FailureDescription(.interactionRequired, "No account was given.", next: next)
        case .signedOut:
            return FailureDescription(
                .interactionRequired, "The account was removed from this application.", next: next)
        case .noRefreshToken:
            return FailureDescription(
                .interactionRequired, "The cache has no token left that could get a new one.", next: next)
        case .scopesNotGranted(let names):
            return FailureDescription(
                .interactionRequired, "The last sign-in did not grant \(names.joined(separator: ", ")).", next: next)
        case .refused(let response):
            var description = FailureDescription(
                .interactionRequired, "The authority wants to see the person: \(response.sentence)", next: next)
            description.keys = response.keys
            description.underlying = MSALAuthenticationError(.refused(response), correlationID: nil)
            return description
        case .anotherCloud(let host):
            return FailureDescription(
                .interactionRequired, "The account's tokens are of another cloud than \(host).", next: next)
        }
    }

    private static var deviceCodeExpired: FailureDescription {
        var description = FailureDescription(
            .internalErrorAuthorizationFailed, "The code was not entered in time, and has ended.",
            next: "Start again, and enter the new code before it ends.")
        description.keys = [MSALOAuthErrorKey: "expired_token"]
        return description
    }

    private static func declinedScopes(granted: [String], declined: [String]) -> FailureDescription {
        var description = FailureDescription(
            .serverDeclinedScopes,
            "The authority did not grant \(declined.joined(separator: ", ")). Tokens for the rest were stored.",
            next: "Go on with what was granted, or ask for less.")
        description.keys = [MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined]
        return description
    }
}
