import OAuthCore

/// Texts for decisions of the user.
extension FailureDescription {
    static func described(_ failure: UserFailure) -> FailureDescription {
        switch failure {
        case .canceled:
            FailureDescription(.userCanceled, "Sign-in cancelled.", next: "Start it again when you are ready.")
        case .canceledAfterSaving:
            cancelled(
                "Cancelled after the authority had issued the tokens. They are cached.",
                headline: "Cancelled, but the tokens are cached.", next: "Request the token again: it is cached.")
        case .canceledWithoutResponse:
            cancelled(
                "Cancelled before the authority's response arrived, so tokens that it has issued are lost.",
                headline: "Cancelled before the response arrived.",
                next: "Try again. If the authority has replaced the refresh token, the user must sign in.")
        case .interactionRequired(let reason):
            interactionRequired(reason)
        case .pasted(let reason, let redirectURI):
            .pasted(reason, redirectURI)
        case .noWaitingSignIn:
            FailureDescription(
                .internalErrorInvalidParameter, "No sign-in is waiting for a response.",
                headline: "No sign-in is waiting for a response.", next: "Start one first.")
        case .deviceCodeExpired:
            .deviceCodeExpired
        case .mismatchedAccount(let expected, let found):
            FailureDescription(
                .internalErrorMismatchedUser,
                "\(found ?? "Another user") signed in instead of \(expected ?? "the requested user"). "
                    + "Nothing was saved.",
                next: "Sign in as \(expected ?? "the requested user"). If the browser uses another session, "
                    + "sign out there first.\(found.map { " If both are the same user, use the account \($0)." } ?? "")"
            )
        case .signOutUnconfirmed(let host):
            FailureDescription(
                .internalErrorUnexpected,
                "The sign-out was not confirmed by \(host) within \(Int(UserFailure.signOutPatience / 60)) minutes.",
                headline: "The sign-out was not confirmed.",
                next:
                    "If the browser shows that you are signed out, you are done. For a confirmation here, register the "
                    + "redirect URI for sign-out (post_logout_redirect_uri) at the authority.")
        }
    }

    private static func cancelled(
        _ explanation: String, headline: String, next nextStep: String
    ) -> FailureDescription {
        var description = FailureDescription(.userCanceled, explanation, next: nextStep)
        description.keys[MSALHeadlineKey] = headline
        return description
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
                .interactionRequired, "The cache has no refresh token.", next: next)
        case .scopesNotGranted(let names):
            let scopes = names.count == 1 ? "it" : "them"
            return FailureDescription(
                .interactionRequired, "The account's tokens don't cover \(names.joined(separator: ", ")).",
                next: "\(next) If the authority declined \(scopes) before, continue without \(scopes).")
        case .notRegistered(let url, let issuer):
            return FailureDescription(
                .interactionRequired,
                "No account for \(url.absoluteString): this client isn't registered at \(issuer) yet.",
                next: "\(next) That registers the client too.")
        case .stepUp:
            return FailureDescription(
                .interactionRequired, "The resource requires a newer or stronger sign-in.", next: next)
        case .anotherCloud(let host):
            return FailureDescription(
                .interactionRequired, "The account's tokens aren't for the cloud of \(host).", next: next)
        }
    }

    static var deviceCodeExpired: FailureDescription {
        var description = FailureDescription(
            .internalErrorAuthorizationFailed, "The device code expired before it was entered.",
            headline: "The device code expired.",
            next: "Start again, and enter the new code before it expires.")
        description.keys[MSALOAuthErrorKey] = "expired_token"
        return description
    }

    static func declinedScopes(granted: [String], declined: [String]) -> FailureDescription {
        var description = FailureDescription(
            .serverDeclinedScopes,
            "The authority didn't grant \(declined.joined(separator: ", ")). Tokens for the rest are cached.",
            next: "Continue with the granted scopes, or request fewer.")
        description.keys = [MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined]
        return description
    }
}
