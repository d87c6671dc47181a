import DemoAuthority

/// Scenarios about requests that the authority denies, throttles or misses.
extension Scenario {
    static let passwordChanged = Scenario(
        name: "password-changed", title: "Password changed",
        story: "Ann changes her password, which revokes her earlier sign-in.",
        steps: [
            .signIn(
                ann,
                look: """
                    Now Ann changes her password. This access token is valid until it expires, so the next request asks \
                    for a new one.
                    """),
            .silently(
                ann, isForced: true, gives: .failure(.interactionRequired),
                look: """
                    The authority rejects the refresh token: invalid_grant, AADSTS50173. The application deletes the token \
                    and reports that Ann must sign in.
                    """),
            .signIn(
                ann, look: "The browser's session was revoked too, so she enters her password again."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "The new refresh token is valid: silent requests work again."),
        ],
        teaches: "A refresh token can be revoked at any time. On interactionRequired, ask the user to sign in."
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.policies.revocation = .passwordChanged
    }

    static let signInExpiry = Scenario(
        name: "sign-in-expiry", title: "Expiry of a sign-in",
        story: "The authority says when Ann's sign-in ends, but ends it earlier.",
        steps: [
            .signIn(
                ann,
                look: """
                    The token response has refresh_token_expires_in: the sign-in ends after 12 hours at the latest. The list of \
                    accounts shows it.
                    """),
            .silently(
                ann, isForced: true, gives: .failure(.interactionRequired),
                look: "An administrator has revoked the sign-in. The authority needn't keep to what it said."),
            .signIn(ann, look: "Ann signs in again, and the 12 hours begin anew."),
            .remove(
                ann, revokes: true,
                look: """
                    The application deletes her tokens and asks the authority to revoke the refresh token (RFC 7009). A copy of \
                    it is useless now. Her access token is valid until it expires.
                    """),
        ],
        teaches: """
            A stated end is the latest possible one. Whoever wants to end a sign-in must revoke the refresh token: removing the \
            account here doesn't.
            """
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.lifetimes.refreshToken = 43_200
        $0.settings.statesRefreshLifetime = true
        $0.settings.policies.revocation = .passwordChanged
    }

    static let throttled = Scenario(
        name: "throttled", title: "Throttled",
        story: "The authority is overloaded and asks clients to wait two seconds.",
        steps: [
            .signIn(
                ann,
                look: "This access token is valid until it expires, so the next request asks for a new one."),
            .silently(
                ann, isForced: true, gives: .failure(.internal),
                look: "The authority returns HTTP 429 with Retry-After. The request fails, but needs no sign-in."),
            .silently(
                ann, isForced: true, isUrgent: true, gives: .failure(.internal),
                look: "Until the time has passed, the application repeats the error without sending a request."),
            .wait(
                ann, seconds: 3,
                look: "The wait ends."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "The application sends the request again and gets the token."),
        ],
        teaches: "Retrying in a loop makes an overload worse. Wait as long as Retry-After says."
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.interruption = Interruption(status: 429, retryAfter: 2, requests: 1)
    }

    static let outage = Scenario(
        name: "outage", title: "Outage",
        story: "The authority is down briefly while a token needs a refresh.",
        steps: [
            .signIn(
                ann,
                look: "This access token is valid until it expires, so the next request asks for a new one."),
            .silently(
                ann, isForced: true, gives: .failure(.internal),
                look: """
                    The authority returns HTTP 503 with Retry-After. The application reports the error, sends no request \
                    until that time and keeps the refresh token.
                    """),
            .wait(
                ann, seconds: 2, look: "The authority recovers."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look: "The refresh token is still valid: no sign-in needed."),
        ],
        teaches: "During an outage, don't ask users to sign in, and don't remove their accounts."
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.interruption = Interruption(status: 503, retryAfter: 1, requests: 1)
    }

    static let deviceCode = Scenario(
        name: "device-code", title: "Device code",
        story: "A TV can't show a sign-in page. It shows a code, and Ann signs in with her phone.",
        steps: [
            .signIn(
                ann, by: .device, hesitates: 4, gives: .token(isFromCache: false), show: ["name"],
                look: """
                    The TV never sees Ann's password. It polls until she has finished: authorization_pending means not yet, \
                    and slow_down means five seconds more between polls from now on.
                    """),
            .silently(
                ann, gives: .token(isFromCache: true),
                look: "The TV has tokens like any other application, and needs the phone no more."),
        ],
        teaches: "With a device code, any device can sign a user in. Poll no faster than the authority allows."
    ) {
        // Polls follow each other quickly, so that the audience sees three of them.
        $0.settings.lifetimes.devicePollInterval = 1
        $0.settings.busyPoll = 2
    }

    static let deniedDeviceCode = Scenario(
        name: "denied-device-code", title: "Denied device code",
        story: "A device shows a code. Wang enters it, reads the request and declines.",
        steps: [
            .signIn(
                wang, by: .device, declines: true, gives: .failure(.userCanceled),
                look: """
                    Until Wang decides, each poll gets authorization_pending. After access_denied, the device stops \
                    polling at once.
                    """),
            .signIn(
                wang, by: .device, gives: .token(isFromCache: false),
                look: "Wang accepts the next code, and the device's next poll gets the tokens."),
        ],
        teaches: "Only enter a code that you requested yourself: the device that shows it gets your tokens.")

    static let blockedDeviceCode = Scenario(
        name: "blocked-device-code", title: "Blocked device code",
        story: "Ann works on a server without a browser. Her organisation blocks sign-ins with a device code.",
        steps: [
            .signIn(
                ann, by: .device, gives: .failure(.internal),
                look: """
                    The page accepts the code and Ann's password. Then the policy denies the tokens: AADSTS530033. Another code \
                    would fail, too.
                    """),
            .signIn(
                ann,
                look: """
                    The browser of her own computer meets the policy. From there, 'keyturn ssh' opens the page for a sign-in on the \
                    server, or gives the server access tokens alone.
                    """),
        ],
        teaches: """
            Where device codes are blocked, sign in with a browser. On a server, connect with 'keyturn ssh', or paste the final URL \
            (--method paste).
            """
    ) {
        $0.settings.policies.blocksDeviceCodes = true
    }
}
