/// Clocks, keys and cables.
extension Scenario {
    static let wrongClock: Scenario = {
        var scenario = Scenario(
            name: "wrong-clock", title: "Wrong clock",
            story: "This computer's clock is eight minutes behind the authority's.",
            steps: [
                .signIn(
                    ann,
                    look: """
                        The ID token seems to come from the future. Its times are judged by the authority's clock, which \
                        every answer shows, so the sign-in goes on, and the verdict on the clock is a warning.
                        """),
                .silently(ann, gives: .token(from: .cache), look: "The token's end is reckoned from when it came."),
            ],
            teaches: "A wrong clock is the commonest reason for tokens that nobody accepts. Look at it first.")
        scenario.settings.clockOffset = 480
        return scenario
    }()

    static let keyRotation: Scenario = {
        var scenario = Scenario(
            name: "key-rotation", title: "Key rotation",
            story: "The authority changes its signing key after every answer, and its algorithm with it.",
            steps: [
                .signIn(ann, look: "Signed with RS256. The key set that the client fetched holds one key."),
                .silently(
                    ann, Step.Request(isForced: true), gives: .token(from: .authority),
                    look: "Signed with ES256, by a key the client has not seen: it fetches the key set anew, once."),
                .silently(
                    ann, Step.Request(isForced: true), gives: .token(from: .authority),
                    look: "Signed with PS256, and so once more."),
            ],
            teaches:
                "Never pin a signing key. An unknown key ID is a reason to look again, an unknown signature is not.")
        scenario.settings.rotatesKeys = true
        return scenario
    }()

    static let slowNetwork: Scenario = {
        var scenario = Scenario(
            name: "slow-network", title: "Slow network",
            story: "Every answer takes half a second on its way.",
            steps: [
                .signIn(
                    ann, look: "The times in front of the steps show what waits for the network, and what does not."),
                .silently(ann, gives: .token(from: .cache), look: "A cached token needs no network: it comes at once."),
                .silently(
                    ann, Step.Request(isForced: true), gives: .token(from: .authority),
                    look: "A renewal with known metadata is a single request."),
            ],
            teaches: "Ask silently first: on a slow network the cache is what people notice.")
        scenario.settings.delay = 0.5
        return scenario
    }()
}
