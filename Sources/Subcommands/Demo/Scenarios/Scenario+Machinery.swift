import DemoAuthority

/// Scenarios about clocks, signing keys and the network.
extension Scenario {
    static let wrongClock = Scenario(
        name: "wrong-clock", title: "Wrong clock",
        story: "This computer's clock is minutes behind the authority's clock.",
        steps: [
            .signIn(
                ann,
                look: """
                    The ID token appears to come from the future. The application checks the token's times against the \
                    authority's clock, which is in each response (Date). The sign-in succeeds with a warning about the clock.
                    """),
            .silently(
                ann, gives: .token(isFromCache: true),
                look: """
                    Without a response, the times in the ID token can only be compared with this computer's clock. \
                    The access token's lifetime is counted from its arrival, so the wrong clock doesn't shorten it.
                    """),
        ],
        teaches: "When servers reject a valid token, check the clock first."
    ) {
        $0.settings.clockOffset = 500
    }

    static let keyRotation = Scenario(
        name: "key-rotation", title: "Key rotation",
        story: "The authority changes its signing key and algorithm after each token response.",
        steps: [
            .signIn(ann, look: "The token is signed with RS256. The key set has one key, and is now cached."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look:
                    "The token is signed with ES256 and a key that isn't cached. So metadata and keys are fetched again, once."
            ),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "Signed with PS256 and another new key: metadata and keys are fetched again."),
        ],
        teaches:
            "Never pin a signing key. Fetch the key set again for an unknown key ID, not for an invalid signature."
    ) {
        $0.settings.rotatesKeys = true
        // One authority for sign-in and refresh, and so one key set.
        $0.client.segment = Directory.contoso
    }

    static let pushedRequest = Scenario(
        name: "pushed-request", title: "Pushed request",
        story: "The authority takes sign-in requests only from applications, not from browsers.",
        steps: [
            .signIn(
                ann,
                look: """
                    The application sends the request itself and gets a reference, which lasts for a minute and one use (RFC \
                    9126). The browser's URL has only that reference and the client ID, so nobody on the way can read or change \
                    the request.
                    """),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "Nothing else changes: a refresh never goes through a browser."),
        ],
        teaches: """
            A pushed request makes the URL short enough to type, and errors in it reach the application instead of a page.
            """
    ) {
        $0.settings.pushedRequests = .required
    }

    static let slowNetwork = Scenario(
        name: "slow-network", title: "Slow network",
        story: "Every response arrives half a second late.",
        steps: [
            .signIn(
                ann, look: "The inspector (f) shows how long each request takes."),
            .silently(
                ann, gives: .token(isFromCache: true), look: "A cached token needs no network and arrives at once."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "With cached metadata, a refresh takes one request."),
        ],
        teaches: "Get tokens silently first: on a slow network, the cache saves the most time."
    ) {
        $0.settings.delay = 0.5
        // One authority for sign-in and refresh, so that its metadata is cached.
        $0.client.segment = Directory.contoso
    }
}
