/// What people agree to.
extension Scenario {
    static let consentDeclined: Scenario = {
        var scenario = Scenario(
            name: "consent-declined", title: "Consent declined",
            story: "Wang is asked for more than he likes. First he unticks one thing, then he declines altogether.",
            steps: [
                .signIn(
                    wang, consent: .without(["Mail.Read"]), gives: .failure(.declinedScopes),
                    look: """
                        Tokens came, and are kept, but for fewer scopes than were asked for. The error names what was \
                        granted and what was declined.
                        """),
                .silently(
                    wang, Step.Request(scopes: ["User.Read"]), gives: .token(from: .cache),
                    look: "What he did agree to works: the token is in the cache."),
                .signIn(
                    wang, consent: .decline, gives: .failure(.userCanceled),
                    look: """
                        He is asked again for what is missing, and declines: the authority answers access_denied, and \
                        no token comes.
                        """),
            ],
            teaches: "Ask for little, and be ready to get less: what was granted is in the result.")
        scenario.client.scopes = ["User.Read", "Mail.Read"]
        return scenario
    }()
}
