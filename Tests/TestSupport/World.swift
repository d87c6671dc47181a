import DemoAuthority
import Foundation
import MSAL
@_exported import MSALTesting
import OAuthCore

/// Everything around an application, in memory: the built-in authority, a user with a browser, a store, the time.
package struct World: Sendable {
    package enum Who: Sendable {
        case ann
        case wang
        case zoe

        var credentials: (username: String, password: String) {
            switch self {
            case .ann: ("ann@contoso.example", "ann-likes-tea")
            case .wang: ("wang@contoso.example", "wang-likes-jazz")
            case .zoe: ("zoe@fabrikam.example", "zoe-likes-rain")
            }
        }
    }

    package let time = ManualTime()
    package let store = MemoryCredentialStore()
    package let documents = MemoryDocumentCache()
    package let receiver = MemoryReceiver()
    package let broker = ScriptedBroker()
    package let notices = NoticeLog()
    package let random = SeededRandom()
    package let proofKeys = MemoryProofKeyStore()
    package let logging = MSALLoggerConfig()
    package let telemetry = MSALTelemetryConfig()
    package let transport: AuthorityTransport
    package let adalFiles = MemoryADALFiles()
    package var browser: any BrowserLauncher = ForbiddenBrowser()

    /// One key pair for all tests: creating one takes longer than most tests.
    private static let keys = Result { try DemoKeys.generate() }

    package init(_ settings: AuthoritySettings = AuthoritySettings()) throws {
        guard let origin = URL(string: "http://127.0.0.1:8400") else { throw URLError(.badURL) }
        let random = SeededRandom(seed: 2)
        let authority = DemoAuthority(
            origin: origin, keys: try Self.keys.get(), directory: .standard, settings: settings,
            randomBytes: { random.bytes($0) })
        transport = AuthorityTransport(origin: origin, authority: authority, time: time)
    }

    /// From now on this user completes the pages in the browser.
    package mutating func seat(
        _ who: Who, consent: ScriptedUser.Consent = .accept, cookies: CookieJar = CookieJar(),
        change: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        browser = FollowingBrowser(
            user: user(who, consent: consent, cookies: cookies), receiver: receiver, change: change)
    }

    /// A user with a browser on another machine.
    package func user(
        _ who: Who, consent: ScriptedUser.Consent = .accept, cookies: CookieJar = CookieJar()
    ) -> ScriptedUser {
        ScriptedUser(
            username: who.credentials.username, password: who.credentials.password, consent: consent, cookies: cookies
        ) { [transport] in try await transport.send($0) }
    }

    package var dependencies: Dependencies {
        Dependencies(
            time: time, random: random, transport: transport, browser: browser, receiver: receiver, broker: broker,
            credentials: store, documents: documents, notices: notices, proofKeys: proofKeys, adalFiles: adalFiles,
            system: SystemDescription(version: "6.1.0-test"), logging: logging, telemetry: telemetry)
    }

    /// `authority`: the path of an Entra authority, or an issuer's with `isOpenID`. `others` replaces the doubles.
    /// `change` modifies the configuration before the application is created.
    package func application(
        authority: String = "common", isOpenID: Bool = false, clientID: String = DemoAuthorityServer.clientID,
        redirectURI: String? = "http://localhost", transport other: (any HTTPTransport)? = nil,
        with others: Dependencies? = nil, change: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        let url = transport.origin.appending(path: authority)
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: redirectURI,
            authority: isOpenID ? try MSALOIDCAuthority(url: url) : try MSALAADAuthority(url: url))
        try change(configuration)
        var dependencies = others ?? dependencies
        if let other { dependencies.transport = other }
        return try MSALPublicClientApplication(
            configuration: configuration, registration: Self.registration, dependencies: dependencies)
    }

    /// The configuration of an organisation that grants access to the API at `/api/team`, whose authority is Fabrikam's.
    package func managedConfiguration(
        organisation: String = Directory.contoso, issuer: URL? = nil, clientSecret: MSALClientSecret? = nil
    ) throws -> MSALPublicClientApplicationConfig {
        let origin = transport.origin
        let configuration = MSALPublicClientApplicationConfig(
            clientId: DemoAuthorityServer.clientID, redirectUri: "http://localhost",
            authority: try MSALOIDCAuthority(url: origin.appending(path: "\(organisation)/v2.0")))
        configuration.managedServers = [
            origin: MSALManagedServer(
                authority: issuer ?? origin.appending(path: "\(Directory.fabrikam)/v2.0"),
                clientId: DemoAuthorityServer.clientID, clientSecret: clientSecret)
        ]
        return configuration
    }

    package static let registration = AppRegistration(
        bundleIdentifier: "org.keyturn.app", urlSchemes: ["msauth.org.keyturn.app"],
        querySchemes: ["msauthv2", "msauthv3"])
}

extension AuthorityTransport {
    /// Changes the JSON objects of the endpoints whose paths end so.
    package func changeJSON(of suffix: String, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void) {
        tamper { request, response in
            guard request.url.path().hasSuffix(suffix), var members = try? JSONValue(parsing: response.body).object
            else { return response }
            change(&members)
            var response = response
            response.body = Array(JSONValue.object(members).serialized.utf8)
            return response
        }
    }
}
