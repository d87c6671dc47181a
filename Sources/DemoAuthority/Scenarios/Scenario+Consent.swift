/// Scenarios about consent.
extension Scenario {
    static let consentDeclined: Scenario = {
        var scenario = Scenario(
            name: "consent-declined", title: "Consent declined",
            story:
                "The application requests more than Wang likes. First he unticks one permission, then he declines all.",
            steps: [
                .signIn(
                    wang, consent: .without(["Mail.Read"]), gives: .failure(.declinedScopes),
                    look: """
                        MSAL caches tokens for fewer scopes than requested. The error lists the granted and the \
                        declined scopes.
                        """),
                .silently(
                    wang, Step.Request(scopes: ["User.Read"]), gives: .token(from: .cache),
                    look: "The granted scope works: its token is in the cache."),
                .signIn(
                    wang, consent: .decline, gives: .failure(.userCanceled),
                    look: """
                        The authority asks for the missing scope again. Wang declines, and the authority returns \
                        access_denied without a token.
                        """),
            ],
            teaches: "Request few scopes, and handle getting fewer: the result lists the granted scopes.")
        scenario.client.scopes = ["User.Read", "Mail.Read"]
        return scenario
    }()
}
