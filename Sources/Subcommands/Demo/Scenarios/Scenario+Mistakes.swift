import Console
import DemoAuthority

/// Scenarios about mistakes in the registration and attacks on a sign-in.
extension Scenario {
    static let unregisteredRedirect = Scenario(
        name: "unregistered-redirect", title: "Unregistered redirect URI",
        story: "The application uses a redirect URI that isn't registered. Then it uses the registered one.",
        steps: [
            .signIn(
                ann, gives: .failure(.userCanceled),
                look: """
                    The authority shows AADSTS50011 and sends nothing to the application: the URI could belong to an \
                    attacker. The application waits until Ann cancels.
                    """),
            .signIn(
                ann, application: 1,
                look: "The port of a loopback URI can differ, but the path must match exactly."),
        ],
        teaches: """
            If the application gets no response, first check the client ID and the redirect URI. Compare redirect_uri in \
            the browser's address bar with the registered ones.
            """
    ) {
        $0.client.redirectURIs = ["http://localhost/callback", "http://localhost"]
    }

    static let wrongClientID = Scenario(
        name: "wrong-client-id", title: "Wrong client ID",
        story: "The client ID in the configuration has a typo.",
        steps: [
            .signIn(
                ann, gives: .failure(.userCanceled),
                look: """
                    The authority doesn't know the application and shows AADSTS700016. It sends no response, \
                    because it doesn't know a redirect URI either.
                    """)
        ],
        teaches: "For AADSTS700016, check the client ID first, then the tenant in the authority."
    ) {
        $0.client.clientID = "6b657974-7572-4e00-8000-64656d6f9999"
    }

    static let tamperedToken = Scenario(
        name: "tampered-token", title: "Tampered token",
        story: "Three sign-ins return an invalid ID token. The application verifies each before it caches anything.",
        steps: [
            .signIn(
                ann, gives: .anyFailure,
                look: "One bit of the signature is changed: the token isn't what the authority signed."),
            .signIn(
                ann, gives: .anyFailure,
                look: "The audience is another application: the token is genuine, but not for this one."),
            .signIn(
                ann, gives: .anyFailure,
                look: "The nonce differs: the token belongs to another sign-in, as in a replay."),
            .signIn(
                ann, look: "The fourth token is genuine. Only now is there an account in the cache."),
        ],
        teaches: "Verify every ID token's signature, issuer, audience, nonce and times. Reject it if one fails."
    ) {
        $0.settings.faults = [Fault(named: "wrong-signature")].compactMap(\.self)
        $0.settings.laterFaults =
            ["wrong-audience", "wrong-nonce"].map { [Fault(named: $0)].compactMap(\.self) }
            + [[]]
    }

    static let replayedCode = Scenario(
        name: "replayed-code", title: "Replayed code",
        story: "After the sign-in, another program sends the same authorization code again.",
        steps: [
            .signIn(
                ann,
                look: """
                    The application redeems the code. Another program finds the code in a log and tries it too. \
                    The authority rejects it and revokes the tokens.
                    """),
            .silently(
                ann, isForced: true, gives: .failure(.interactionRequired),
                look: "AADSTS54005: the code was used twice, so the authority revoked the sign-in."),
            .signIn(ann, look: "A new sign-in gets a new code, and works."),
        ],
        teaches: """
            A code works once. If sign-ins fail with AADSTS54005, look for a page that is loaded twice, or a code in \
            a log.
            """
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.policies.revocation = .codeAlreadyUsed
    }

    static let strangerAtTheListener: Scenario = {
        var forged = GuidedWalk.Step.signIn(
            ann,
            look: """
                The first response had another state, so the application ignored it and kept waiting. The second one belongs to \
                this sign-in.
                """)
        forged.isForged = true
        return Scenario(
            name: "forged-response", title: "Forged response",
            story: "Another program on this computer sends a forged response to the listener before the browser does.",
            steps: [forged],
            teaches: "Any program can reach a loopback listener. The state ties a response to its request.")
    }()

    static let lostDevice = Scenario(
        name: "lost-device", title: "Lost device",
        story: "Ann lost her laptop. An administrator revokes its sign-ins.",
        steps: [
            .signIn(
                ann, look: "The laptop holds a short-lived access token, and a refresh token that lasts for weeks."),
            .silently(
                ann, isForced: true, gives: .failure(.interactionRequired),
                look: """
                    The authority rejects the refresh token: AADSTS50173. A thief would have to sign in as Ann. An \
                    access token works until it expires.
                    """),
        ],
        teaches: "Revoke the sign-ins of a lost device at once. Short-lived access tokens limit damage."
    ) {
        $0.settings.lifetimes = briefTokens
        $0.settings.policies.revocation = .passwordChanged
    }

    static let untrustedCertificate = Scenario(
        name: "untrusted-certificate", title: "Untrusted certificate",
        story: "The authority's certificate comes from an unknown issuer, as behind a proxy that inspects TLS.",
        steps: [
            .signIn(
                ann, gives: .anyFailure,
                look:
                    "The connection fails at the certificate, before the request is sent: no page opens, and no password is entered."
            )
        ],
        teaches: """
            Trust the proxy's certificate (--ca-file, or the system's store). Never switch the \
            check off.
            """
    ) {
        $0.client.usesUntrustedTLS = true
    }

    static let phishingByDeviceCode = Scenario(
        name: "device-code-phishing", title: "Device code phishing",
        story:
            "An attacker starts a sign-in with a device code and sends Ann the code: \"Enter it to join the meeting\".",
        steps: [
            .signIn(
                ann, by: .device, gives: .token(isFromCache: false), show: ["name", "scp"],
                look: """
                    Ann entered the code and her password on the real page, and saw nothing wrong. The attacker's device \
                    got her tokens. MFA doesn't prevent that: she completes it herself.
                    """)
        ],
        teaches: """
            Enter only codes that you requested yourself. Administrators can block device codes for users who don't \
            need them. keyturn check warns about a profile that uses them.
            """)

    static let appForPhones = Scenario(
        name: "ios-app", title: "iOS app and terminal",
        story: "The same sign-in in an iOS app with MSAL and in this program.",
        steps: [
            .signIn(ann, look: "In a terminal, a listener on this computer receives the response."),
            .read(
                ann, .signInOnPhone, "Read about the same sign-in in an iOS app",
                look: """
                    An app uses a scheme instead of a listener. If a broker is installed, the app uses it instead of a browser. \
                    Requests and tokens are the same.
                    """),
        ],
        teaches:
            "The main difference is how the response returns: to an app's own scheme, or here to a loopback listener.")
}
