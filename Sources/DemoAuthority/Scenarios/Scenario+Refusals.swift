/// When the authority says no, or nothing.
extension Scenario {
    static let passwordChanged: Scenario = {
        var scenario = Scenario(
            name: "password-changed", title: "Password changed",
            story: "Ann changes her password, so what she signed in with the old one is worth nothing.",
            steps: [
                .signIn(ann, look: "The access token is good for a minute only, so the next request has to renew it."),
                .silently(
                    ann, gives: .failure(.interactionRequired),
                    look: """
                        The authority answers invalid_grant, AADSTS50173. The refresh token is thrown away, and the \
                        error says that a person has to sign in.
                        """),
                .signIn(ann, look: "The browser's session ended too: she types her password again."),
                .silently(
                    ann, gives: .token(from: .authority),
                    look: "The new refresh token is good: silence works again."),
            ],
            teaches: "A refresh token can end at any time: interactionRequired is not a failure but a question.")
        scenario.settings.lifetimes = briefTokens
        scenario.settings.policies.changesPasswordAtFirstRenewal = true
        return scenario
    }()
}
