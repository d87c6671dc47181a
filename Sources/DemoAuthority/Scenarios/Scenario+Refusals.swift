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

    static let throttled: Scenario = {
        var scenario = Scenario(
            name: "throttled", title: "Throttled",
            story: "The authority has too much to do, and asks to be left alone for two seconds.",
            steps: [
                .signIn(ann, look: "The access token is good for a minute only, so the next request has to renew it."),
                .silently(
                    ann, gives: .failure(.other),
                    look: "The answer is 429 with Retry-After. No token comes, and nobody is asked to sign in for that."
                ),
                .silently(
                    ann, gives: .failure(.other),
                    look: "Asked again at once, the client answers by itself: nothing is sent while it has to wait."),
                Step(
                    action: .wait(seconds: 3), username: ann, outcome: .done,
                    look: "The time that was asked for passes."),
                .silently(ann, gives: .token(from: .authority), look: "Now it asks again, and gets its token."),
            ],
            teaches: "Whoever asks in a loop makes it worse. Wait for as long as Retry-After says.")
        scenario.settings.lifetimes = briefTokens
        scenario.settings.interruption = Interruption(status: 429, retryAfter: 2, requests: 1)
        return scenario
    }()

    static let outage: Scenario = {
        var scenario = Scenario(
            name: "outage", title: "Outage",
            story: "The authority is down for a moment while a token has to be renewed.",
            steps: [
                .signIn(ann, look: "The access token is good for a minute only, so the next request has to renew it."),
                .silently(
                    ann, gives: .failure(.other),
                    look: """
                        The authority answers 503 with Retry-After: the error says that it is in trouble, and nothing is \
                        sent again before that time. The refresh token is kept.
                        """),
                Step(action: .wait(seconds: 2), username: ann, outcome: .done, look: "The authority recovers."),
                .silently(
                    ann, gives: .token(from: .authority), look: "The refresh token is still good: nobody is asked."),
            ],
            teaches: "An outage is no reason to make people sign in, nor to forget them.")
        scenario.settings.lifetimes = briefTokens
        scenario.settings.interruption = Interruption(status: 503, retryAfter: 1, requests: 1)
        return scenario
    }()

    static let deniedDeviceCode = Scenario(
        name: "denied-device-code", title: "Denied device code",
        story: "A device shows a code. Wang opens the page, sees what it asks for, and says no.",
        steps: [
            Step(
                action: .enterCode, username: wang, consent: .decline, outcome: .failure(.userCanceled),
                look: """
                    The device asks every few seconds and hears authorization_pending, until it hears access_denied. It \
                    stops asking at once.
                    """),
            Step(
                action: .enterCode, username: wang, outcome: .token(from: .authority),
                look: "The next code he accepts, and the device's next question brings the tokens."),
        ],
        teaches: "Only enter a code that you asked for yourself: whoever showed it gets your tokens.")
}
