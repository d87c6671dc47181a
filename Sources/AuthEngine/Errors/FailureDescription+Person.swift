import OAuthCore

/// What the person decided or has to do.
extension FailureDescription {
    static func interactionRequired(
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
