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
/// refresh tokens. One object is one world, with its own users, cache and time, so tests with an authority each run in
/// parallel. One interactive sign-in runs at a time in it, as in a process with a real browser.
public final class MSALTestAuthority: Sendable {
    /// A user of the authority. The directory has four, with one account each.
    public struct User: Sendable, Equatable, CaseIterable {
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

        /// The users of the authority.
        public static let allCases = [ann, wang, zoe, mia]
    }

    private struct Seat {
        var user: User? = .ann
        var grantsConsent = true
        /// The page for the newest device code, until the user has been there.
        var devicePage: URL?
    }

    private let seat = Locked(Seat())
    private let time = ManualTime()
    private let transport: AuthorityTransport
    private let store = MemoryCredentialStore()
    private let documents = MemoryDocumentCache()
    private let proofKeys = MemoryProofKeyStore()
    /// Two worlds never have the same `state` and nonces.
    private let random = SeededRandom(seed: seeds.next())
    private static let seeds = SeededRandom()

    /// One key pair for all: making one takes longer than a test.
    private static let keys = Result { try DemoKeys.generate() }

    /// Throws when no signing key can be made, which only a broken crypto library causes.
    public init() throws {
        guard let origin = URL(string: "https://login.microsoftonline.com") else { throw URLError(.badURL) }
        let random = SeededRandom(seed: 2)
        let authority = DemoAuthority(
            origin: origin, keys: try Self.keys.get(), randomBytes: { random.bytes($0) })
        transport = AuthorityTransport(origin: origin, authority: authority, time: time)
        let seat = seat
        transport.tamper { _, response in
            if let page = response.deviceCodePage { seat.withLock { $0.devicePage = page } }
            return response
        }
        time.meanwhile { [weak self] _ in try await self?.enterDeviceCode() }
    }

    /// The user who sits at the scripted browser and enters device codes; ``User/ann`` unless set. `nil`: there is no
    /// browser, interactive sign-ins fail, and device codes expire.
    public var user: User? {
        get { seat.withLock { $0.user } }
        set { seat.withLock { $0.user = newValue } }
    }

    /// Whether the user accepts what the consent page asks for. `true` unless set; otherwise the sign-in fails with
    /// ``MSALError/userCanceled``. The page is shown once for a user and scopes, or with `promptType = .consent`.
    public var grantsConsent: Bool {
        get { seat.withLock { $0.grantsConsent } }
        set { seat.withLock { $0.grantsConsent = newValue } }
    }

    /// The time in this world. It starts at 2026-01-01 00:00 UTC and stands still.
    public var now: Date { time.now() }

    /// Moves the time on, in seconds, for example past the expiry of an access token (about an hour). At most 30 years a
    /// call.
    public func advance(by seconds: TimeInterval) {
        time.advance(by: seconds.isNaN ? 0 : min(max(seconds, -1e9), 1e9))
    }

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
                telemetry: MSALGlobalConfig.telemetryConfig, world: ObjectIdentifier(self)))
    }

    /// While an application waits to ask again whether the code was entered.
    private func enterDeviceCode() async throws {
        let (seat, page) = seat.withLock { seat in
            defer { if seat.user != nil { seat.devicePage = nil } }
            return (seat, seat.devicePage)
        }
        guard let page, let person = person(seat) else { return }
        _ = try await person.finish(from: page)
    }

    private func person(_ seat: Seat) -> ScriptedPerson? {
        seat.user.map { user in
            ScriptedPerson(
                username: user.username, password: user.password, consent: seat.grantsConsent ? .accept : .decline
            ) { [transport] in try await transport.send($0) }
        }
    }

    fileprivate func browser(landingOn receiver: MemoryReceiver) -> FollowingBrowser? {
        person(seat.withLock { $0 }).map { FollowingBrowser(person: $0, receiver: receiver) }
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

extension HTTPResponse {
    /// The address that a device authorization response gives, with the code in it (RFC 8628 §3.2).
    fileprivate var deviceCodePage: URL? {
        guard let members = try? JSONValue(parsing: body).object, members["device_code"] != nil else { return nil }
        return members["verification_uri_complete"]?.string.flatMap(URL.init)
    }
}
