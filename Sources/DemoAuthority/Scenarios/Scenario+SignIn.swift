/// Signing in, and what the tokens are then.
extension Scenario {
    package static let plainSignIn = Scenario(
        name: "plain-sign-in", title: "Plain sign-in",
        story: "Ann signs in with the browser, and the application gets her tokens.",
        steps: [
            .signIn(
                ann, show: .everything,
                look: """
                    The code comes back to a listener on this computer. It is redeemed with the verifier that only \
                    this program knows, and every rule the ID token must meet has its verdict.
                    """),
            .silently(ann, gives: .token(from: .cache), look: "The token comes from the cache: no request is sent."),
            .silently(
                ann, Step.Request(isForced: true), gives: .token(from: .authority),
                look: "A refresh token is exchanged for new tokens. The old one is worth nothing from now on."),
            Step(
                action: .remove, username: ann, outcome: .done,
                look: "Her tokens leave this application. The browser's session and other applications keep theirs."),
            .silently(
                ann, gives: .failure(.interactionRequired),
                look: "Without an account in the cache, only a person can sign in again."),
        ],
        teaches: "A sign-in is a browser, a code, and one request for tokens; afterwards the cache answers.")
}
