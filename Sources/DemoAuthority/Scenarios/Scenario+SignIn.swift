/// Scenarios about signing in and using the tokens.
extension Scenario {
    package static let plainSignIn = Scenario(
        name: "plain-sign-in", title: "Plain sign-in",
        story: "Ann signs in with the browser, and the application gets her tokens.",
        steps: [
            .signIn(
                ann, show: .everything,
                look: """
                    The authorization code returns to a listener on this computer. MSAL redeems it with a verifier \
                    that only this program knows, then checks the ID token against every rule.
                    """),
            .silently(ann, gives: .token(from: .cache), look: "The token comes from the cache, without a request."),
            .silently(
                ann, Step.Request(isForced: true), gives: .token(from: .authority),
                look: "MSAL exchanges the refresh token for new tokens. The old refresh token is now invalid."),
            Step(
                action: .remove, username: ann, outcome: .done,
                look:
                    "This application deletes her tokens. The browser and other applications stay signed in."),
            .silently(
                ann, gives: .failure(.interactionRequired),
                look: "No account is cached, so Ann must sign in again."),
        ],
        teaches: "A sign-in takes a browser, a code and one token request. After that, tokens come from the cache.")
}
