import OAuthCore

/// Texts for decisions of the user.
extension FailureDescription {
    static func described(_ failure: UserFailure) -> FailureDescription {
        switch failure {
        case .canceled:
            FailureDescription(.userCanceled, "The sign-in was cancelled.", next: "Start it again when you like.")
        case .interactionRequired(let reason):
            interactionRequired(reason)
        case .pasted(let reason, let redirectURI):
            .pasted(reason, redirectURI)
        case .nobodyWaits:
            FailureDescription(
                .internalErrorInvalidParameter, "No sign-in is waiting for an answer.", next: "Start one first.")
        case .deviceCodeExpired:
            .deviceCodeExpired
        case .mismatchedAccount(let expected, let found):
            FailureDescription(
                .internalErrorMismatchedUser,
                "\(found ?? "Another user") signed in instead of \(expected ?? "the requested user"). "
                    + "Nothing was saved.",
                next: "Sign in as \(expected ?? "the requested user"). If the browser goes on with another session, "
                    + "sign out there first.")
        case .signOutUnconfirmed(let host):
            FailureDescription(
                .internalErrorUnexpected,
                "The browser did not come back from the sign-out page of \(host) within "
                    + "\(Int(UserFailure.signOutPatience / 60)) minutes. The tokens here are removed.",
                next:
                    "Look at the browser: if its page says that you are signed out, nothing is left to do. To have it come "
                    + "back, register the redirect URI for signing out (post_logout_redirect_uri) at the authority.")
        }
    }

    static func interactionRequired(
        _ reason: UserFailure.InteractionReason
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
        case .anotherCloud(let host):
            return FailureDescription(
                .interactionRequired, "The account's tokens are of another cloud than \(host).", next: next)
        }
    }

    static var deviceCodeExpired: FailureDescription {
        var description = FailureDescription(
            .internalErrorAuthorizationFailed, "The code was not entered in time, and has ended.",
            next: "Start again, and enter the new code before it ends.")
        description.keys = [MSALOAuthErrorKey: "expired_token"]
        return description
    }

    static func declinedScopes(granted: [String], declined: [String]) -> FailureDescription {
        var description = FailureDescription(
            .serverDeclinedScopes,
            "The authority did not grant \(declined.joined(separator: ", ")). Tokens for the rest were stored.",
            next: "Go on with what was granted, or ask for less.")
        description.keys = [MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined]
        return description
    }
}
