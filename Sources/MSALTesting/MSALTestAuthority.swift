import AuthEngine
import DemoAuthority
import Foundation
import LinuxAdapters
import Locks
import OAuthCore

/// An authority for a program's own tests, in memory: a scripted user signs in at it without a network, a browser or a
/// file.
///
/// ```swift
/// let authority = try MSALTestAuthority()
/// authority.serve(configuration)
/// let application = try MSALPublicClientApplication(configuration: configuration)
/// ```
///
/// It answers for `https://login.microsoftonline.com`, so a program's own configuration needs no change, and it knows every
/// client ID and redirect URI that it serves. Everything else is as in a real sign-in: PKCE, consent, signed ID tokens,
/// refresh tokens. One object is one world, with its own users, cache and time; a process runs one interactive sign-in at
/// a time, in tests too.
public final class MSALTestAuthority: Sendable {
    /// A user of the authority. The directory has four, with one account each.
    public struct User: Sendable, Equatable {
        /// The username to sign in with.
        public let username: String
        /// The name to show, as in the ID token's claim `name`.
        public let name: String
        fileprivate let password: String

        private init(_ username: String) {
            let person = Directory.standard.person(named: username)
            self.username = username
            name = person?.name ?? ""
            password = person?.password ?? ""
        }

        /// An employee of Contoso.
        public static let ann = User("ann@contoso.example")
        /// An employee of Contoso with wide characters in the name.
        public static let wang = User("wang@contoso.example")
        /// An employee of Fabrikam, and a guest of Contoso.
        public static let zoe = User("zoe@fabrikam.example")
        /// A user with a personal account.
        public static let mia = User("mia@outlook.example")
    }

    private struct Seat {
        var user: User? = .ann
        var grantsConsent = true
    }

    private let seat = Locked(Seat())
    private let time = ManualTime()
    private let transport: AuthorityTransport
    private let store = MemoryCredentialStore()
    private let documents = MemoryDocumentCache()
    private let proofKeys = MemoryProofKeyStore()
    private let random = SeededRandom()

    /// One key pair for all: making one takes longer than a test.
    private static let keys = Result { try DemoKeys.generate() }

    /// Throws when no signing key can be made, which only a broken crypto library causes.
    public init() throws {
        guard let origin = URL(string: "https://login.microsoftonline.com") else { throw URLError(.badURL) }
        let random = SeededRandom(seed: 2)
        let authority = DemoAuthority(
            origin: origin, keys: try Self.keys.get(), randomBytes: { random.bytes($0) })
        transport = AuthorityTransport(origin: origin, authority: authority, time: time)
    }

    /// The user who sits at the scripted browser; ``User/ann`` unless set. `nil`: there is no browser, and interactive
    /// sign-ins fail.
    public var user: User? {
        get { seat.withLock { $0.user } }
        set { seat.withLock { $0.user = newValue } }
    }

    /// Whether the user accepts what the consent page asks for. `true` unless set; otherwise the sign-in fails with
    /// ``MSALError/userCanceled``.
    public var grantsConsent: Bool {
        get { seat.withLock { $0.grantsConsent } }
        set { seat.withLock { $0.grantsConsent = newValue } }
    }

    /// The time in this world. It starts at 2026-01-01 00:00 UTC and stands still.
    public var now: Date { time.now() }

    /// Moves the time on, in seconds, for example past the expiry of an access token (about an hour).
    public func advance(by seconds: TimeInterval) { time.advance(by: seconds) }

    /// Whether the network is down. Requests then fail as they do without a connection.
    public func setOffline(_ isOffline: Bool) { transport.trouble(isOffline ? .offline : nil) }

    /// How many requests applications and the scripted browser have sent.
    public var requestCount: Int { transport.requests.count }

    /// Puts the applications that are made with a configuration into this world. They share one cache.
    public func serve(_ configuration: MSALPublicClientApplicationConfig) {
        configuration.world = TestWorld(authority: self)
    }

    fileprivate func surroundings(for configuration: MSALPublicClientApplicationConfig) -> Surroundings {
        let registration = configuration.appRegistration?.value
        let rules = RedirectURIRules(
            clientID: configuration.clientId, registration: registration ?? AppRegistration(bundleIdentifier: ""),
            isBypassed: configuration.bypassRedirectURIValidation)
        if case .accepted(let redirect) = rules.verify(configuration.redirectUri) {
            let clientID = configuration.clientId
            transport.atAuthority { $0.register(clientID: clientID, redirectURI: redirect.url.absoluteString) }
        }
        let receiver = MemoryReceiver()
        return Surroundings(
            registration: registration,
            dependencies: Dependencies(
                time: time, random: random, transport: transport,
                browser: SeatBrowser(authority: self, receiver: receiver), receiver: receiver, broker: ScriptedBroker(),
                credentials: store, documents: documents,
                notices: NotificationCenterNotices(), proofKeys: proofKeys, adalFiles: MemoryADALFiles(),
                system: SystemDescription(version: "6.1.0-test"), logging: MSALGlobalConfig.loggerConfig,
                telemetry: MSALGlobalConfig.telemetryConfig))
    }

    fileprivate func browser(landingOn receiver: MemoryReceiver) -> FollowingBrowser? {
        let seat = seat.withLock { $0 }
        return seat.user.map { user in
            FollowingBrowser(
                username: user.username, password: user.password, consent: seat.grantsConsent ? .accept : .decline,
                transport: transport, receiver: receiver)
        }
    }
}

private final class TestWorld: ApplicationWorld {
    private let authority: MSALTestAuthority

    init(authority: MSALTestAuthority) {
        self.authority = authority
    }

    func surroundings(for configuration: MSALPublicClientApplicationConfig) -> Surroundings {
        authority.surroundings(for: configuration)
    }
}

/// The browser of the user who sits there when a page opens.
private struct SeatBrowser: BrowserLauncher {
    let authority: MSALTestAuthority
    let receiver: MemoryReceiver

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        guard let browser = authority.browser(landingOn: receiver) else {
            throw BrowserLaunchFailure(.noBrowser, reason: "No user sits at the scripted browser.")
        }
        try await browser.open(page)
    }
}
