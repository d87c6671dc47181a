import Console
import DemoAuthority
import Diagnosis

/// An example of a sign-in, as data: its story, users, authority settings, steps and explanations.
///
/// The program plays it with a scripted user or guides a real one through it. The tests check the client against it.
struct Scenario: Sendable, Equatable {
    /// The name on the command line.
    var name: String
    var title: String
    var story: String
    /// Their empty scopes are the client's own.
    var steps: [GuidedWalk.Step]
    var teaches: String
    var settings = AuthoritySettings()
    var client = Client()

    /// - Parameter set: changes the settings and the client.
    init(
        name: String, title: String, story: String, steps: [GuidedWalk.Step], teaches: String,
        set: (inout Scenario) -> Void = { _ in }
    ) {
        (self.name, self.title, self.story, self.steps, self.teaches) = (name, title, story, steps, teaches)
        set(&self)
    }

    /// The configuration of the application that signs users in.
    struct Client: Sendable, Equatable {
        /// The path of its authority's URL.
        var segment = "common"
        var type = AuthorityKind.aad
        var scopes = ["User.Read"]
        /// One redirect URI for each application that shares the cache and the client ID.
        var redirectURIs = ["http://localhost"]
        /// Another client ID than the registered one, of the first application.
        var clientID: String?
        /// Whether the authority uses TLS with a certificate that this computer doesn't trust.
        var usesUntrustedTLS = false
        var capabilities: [String] = []
        /// Whether its authority's organisation grants access to the built-in API `/api/team`, which has another authority.
        var isManaged = false
        /// The user in the ADAL cache that the application migrates.
        var adalUsername: String?

        func clientID(of application: Int) -> String? { application == 0 ? clientID : nil }
    }

    /// The users of the scenario, in the directory's order.
    var users: [User] {
        let names = Set(steps.map(\.username))
        return Directory.standard.users.filter { names.contains($0.username) }
    }

    var walk: GuidedWalk {
        let steps = steps.map { step in
            var step = step
            if step.scopes.isEmpty { step.scopes = client.scopes }
            return step
        }
        return GuidedWalk(name: name, title: title, story: story, steps: steps, teaches: teaches)
    }

    static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    /// Every scenario, in reading order.
    static let all: [Scenario] = [
        plainSignIn, stepUp, consentDeclined, incrementalConsent, conditionalAccess, passwordChanged, signInExpiry,
        guest, personalAccount, b2cPolicy, externalTenant, threeApps, adalMigration, throttled, outage,
        wrongClock,
        insufficientScope, mfaForAPI, freshSignIn, managedServer, keyRotation, deviceCode, deniedDeviceCode,
        blockedDeviceCode,
        pushedRequest,
        slowNetwork,
        unregisteredRedirect,
        wrongClientID, tamperedToken,
        replayedCode,
        strangerAtTheListener, lostDevice, untrustedCertificate, phishingByDeviceCode, appForPhones,
    ]

    static let ann = "ann@contoso.example"
    static let wang = "wang@contoso.example"
    static let zoe = "zoe@fabrikam.example"
    static let mia = "mia@outlook.example"

    static let lea = "lea@woodgrove.example"
    static let raj = "raj@adventure.example"

    /// Access tokens so short-lived that every silent request refreshes.
    static let briefTokens: Lifetimes = {
        var lifetimes = Lifetimes()
        lifetimes.accessToken = 45
        return lifetimes
    }()
}

/// Scenarios about signing in and using the tokens.
extension Scenario {
    static let plainSignIn = Scenario(
        name: "plain-sign-in", title: "Plain sign-in",
        story: "Ann signs in with the browser, and the application gets her tokens.",
        steps: [
            .signIn(
                ann,
                look: """
                    The authorization code returns to a listener on this computer. The application redeems it with a verifier \
                    that only it knows, then checks the ID token against every rule.
                    """),
            .silently(
                ann, gives: .token(isFromCache: true), look: "The token comes from the cache, without a request."),
            .silently(
                ann, isForced: true, gives: .token(isFromCache: false),
                look:
                    "The application exchanges the refresh token for new tokens. The old refresh token is now invalid."),
            .remove(
                ann,
                look: "This application deletes her tokens. The browser and other applications stay signed in."),
            .silently(
                ann, gives: .failure(.interactionRequired),
                look: "No account is cached, so Ann must sign in again."),
        ],
        teaches: "A sign-in takes a browser, a code and one token request. After that, tokens come from the cache.")
}

/// Scenarios about consent.
extension Scenario {
    static let consentDeclined = Scenario(
        name: "consent-declined", title: "Consent declined",
        story: "The application requests more than Wang likes. First he unticks one permission, then he declines.",
        steps: [
            .signIn(
                wang, unticks: ["Mail.Read"], gives: .failure(.serverDeclinedScopes),
                look: """
                    The application caches tokens for fewer scopes than requested. The library's error object \
                    lists the granted and the declined scopes.
                    """),
            .silently(
                wang, scopes: ["User.Read"], gives: .token(isFromCache: true),
                look: "The granted scope works: its token is in the cache."),
            .signIn(
                wang, declines: true, gives: .failure(.userCanceled),
                look: """
                    The consent page lists the missing scope again. Wang declines, and the authority returns \
                    access_denied without a token.
                    """),
        ],
        teaches: "Request few scopes. You may get fewer: the library's error lists those granted."
    ) {
        $0.client.scopes = ["User.Read", "Mail.Read"]
    }
}
