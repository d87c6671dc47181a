import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// An authority in memory for a program's own tests. A scripted user signs in without network, browser or files.
///
/// ```swift
/// let authority = try MSALTestAuthority()
/// authority.serve(configuration)
/// let application = try MSALPublicClientApplication(configuration: configuration)
/// ```
///
/// It takes the place of Microsoft Entra ID at every host, so the program's configuration needs no change. It accepts every
/// client ID and redirect URI of the applications it serves, and has the tenants, user flows, resources and scopes that
/// they name, unless ``addResource(_:scopes:)`` lists the scopes. The rest is as in a real sign-in: PKCE, consent, signed ID
/// tokens, refresh tokens.
///
/// Each object is a separate world with its own users, cache and time, so that tests with one authority each can run in
/// parallel. As in a process with a real browser, one interactive sign-in runs at a time. The static methods of
/// `MSALPublicClientApplication` that end a sign-in reach it only from within ``run(_:)``.
public final class MSALTestAuthority: Sendable {
    /// A user of the authority, with one account. The directory has four.
    public struct User: Sendable, Equatable, CaseIterable {
        /// The username to sign in with.
        public let username: String
        /// The display name, as in the ID token's claim `name`.
        public let name: String
        fileprivate let password: String

        private init(_ username: String) {
            let user = Directory.standard.user(named: username)
            self.username = username
            name = user?.name ?? ""
            password = user?.password ?? ""
        }

        fileprivate init(_ user: DirectoryUser) {
            (username, name, password) = (user.username, user.name, user.password)
        }

        /// An employee of Contoso.
        public static let ann = User("ann@contoso.example")
        /// An employee of Contoso whose name has wide characters.
        public static let wang = User("wang@contoso.example")
        /// An employee of Fabrikam who is a guest of Contoso.
        public static let zoe = User("zoe@fabrikam.example")
        /// A user with a personal account.
        public static let mia = User("mia@outlook.example")

        /// The users that every authority has.
        public static let allCases = [ann, wang, zoe, mia]
    }

    private struct Seat {
        var user: User? = .ann
        var grantsConsent = true
        var declinedScopes: [String] = []
        var leavesPageOpen = false
        /// The latest sign-in whose page was left open.
        var page: WaitingSession?
        var watchers: [AsyncStream<Never>.Continuation] = []
        /// The page for the latest device code, until the user has opened it.
        var devicePage: URL?
    }

    private let seat = Locked(Seat())
    private let time = ManualTime(patience: MSALTestAuthority.patience)
    private let transport: AuthorityTransport
    private let store = MemoryCredentialStore()
    private let documents = MemoryDocumentCache()
    private let proofKeys = MemoryProofKeyStore()
    /// Differs between worlds, so that they never use the same `state` or nonce.
    private let random = SeededRandom(seed: seeds.next())
    private static let seeds = SeededRandom()

    /// A shared key pair, because creating one takes longer than a test.
    private static let keys = Result { try DemoKeys.generate() }

    /// Creates an authority. Throws if the crypto library can't create a signing key.
    public init() throws {
        guard let origin = URL(string: "https://login.microsoftonline.com") else { throw URLError(.badURL) }
        let random = SeededRandom(seed: 2)
        let authority = DemoAuthority(
            origin: origin, keys: try Self.keys.get(), directory: .ofMicrosoft, randomBytes: { random.bytes($0) })
        transport = AuthorityTransport(origin: origin, authority: authority, time: time, admitsAll: true)
        let seat = seat
        transport.tamper { _, response in
            let members = (try? JSONValue(parsing: response.body))?.object ?? [:]
            // RFC 8628 §3.2.
            let place = members["device_code"].flatMap { _ in members["verification_uri_complete"]?.string }
            if let page = place.flatMap(URL.init) { seat.withLock { $0.devicePage = page } }
            return response
        }
        time.meanwhile { [weak self] _ in try await self?.enterDeviceCode() }
    }

    /// The user at the scripted browser, who also enters device codes (default: ``User/ann``). With `nil` there is no
    /// browser: interactive sign-ins fail, and device codes expire.
    public var user: User? {
        get { seat.withLock { $0.user } }
        set { seat.withLock { $0.user = newValue } }
    }

    /// Whether the user consents (default: `true`). Otherwise the sign-in fails with ``MSALError/userCanceled``.
    ///
    /// The consent page is shown once per user and scopes, or with `promptType = .consent`.
    public var grantsConsent: Bool {
        get { seat.withLock { $0.grantsConsent } }
        set { seat.withLock { $0.grantsConsent = newValue } }
    }

    /// The names of scopes, such as `Mail.Read`, that the user unticks on the consent page (default: none). The sign-in then
    /// fails with ``MSALError/serverDeclinedScopes``.
    public var declinedScopes: [String] {
        get { seat.withLock { $0.declinedScopes } }
        set { seat.withLock { $0.declinedScopes = newValue } }
    }

    /// Whether the user leaves the sign-in page open without completing it (default: `false`). The sign-in then waits until
    /// ``cancelSignIn()``, or until the time advances by its ``MSALInteractiveTokenParameters/responseTimeout``. Before either,
    /// await ``waitForOpenPage()``. After a minute of real time the sign-in fails, so that no test hangs.
    public var leavesPageOpen: Bool {
        get { seat.withLock { $0.leavesPageOpen } }
        set { seat.withLock { $0.leavesPageOpen = newValue } }
    }

    /// Waits until the user has left the page of a sign-in open (``leavesPageOpen``). Throws ``NoOpenPage`` after a minute of
    /// real time, and `CancellationError` when the task is cancelled.
    public func waitForOpenPage() async throws {
        let (opening, signal) = AsyncStream<Never>.makeStream()
        let isOpen = seat.withLock { seat in
            let isOpen = seat.page.map { !$0.hasEnded } ?? false
            if !isOpen { seat.watchers.append(signal) }
            return isOpen
        }
        guard !isOpen else { return }
        let opened: Void? = await within(Self.patience) { for await _ in opening {} }
        try Task.checkCancellation()
        if opened == nil { throw NoOpenPage() }
    }

    /// The error of ``waitForOpenPage()``.
    public struct NoOpenPage: LocalizedError {
        public let errorDescription: String? = "No sign-in page was left open within a minute."
        public let recoverySuggestion: String? = "Set leavesPageOpen, and start the sign-in in a task of its own."
    }

    /// In real time.
    private static let patience = Duration.seconds(60)

    /// Cancels this authority's sign-in, and no other, as the user does. Returns `false` if none waits.
    @discardableResult
    public func cancelSignIn() -> Bool { InteractiveSessions.latest(in: ObjectIdentifier(self))?.cancel() ?? false }

    /// Runs code under test whose calls of `cancelCurrentWebAuthSession()` and `handlePastedResponse(_:)` reach this
    /// authority's sign-in. Elsewhere they reach no test's. Tasks that the code creates with `Task {}` are included.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Result
    ) async rethrows -> Result {
        try await InteractiveSessions.$reached.withValue(ObjectIdentifier(self), operation: work)
    }

    /// Notes that the page of the sign-in is left open.
    fileprivate func leaveOpen() {
        guard let session = InteractiveSessions.latest(in: ObjectIdentifier(self)) else { return }
        let watchers = seat.withLock { seat in
            defer { (seat.page, seat.watchers) = (session, []) }
            return seat.watchers
        }
        for watcher in watchers { watcher.finish() }
    }

    /// Lists the scopes of a resource, such as `https://graph.microsoft.com` or `api://mail`. Requests for other scopes of it
    /// then fail. A resource that isn't added has every scope that is requested.
    public func addResource(_ identifier: String, scopes: [String]) {
        transport.atAuthority { $0.directory.fix(identifier, scopes: scopes) }
    }

    /// Adds a tenant, named by its domain, and makes users its guests. Returns its identifier, a random one by default.
    ///
    /// Without it, the first unknown tenant that an application names takes the place of Contoso: its employees are members,
    /// and its guest a guest. In further ones, all users are guests.
    @discardableResult
    public func addTenant(_ domain: String, identifier: String? = nil, guests: [User] = []) -> String {
        let id = (identifier ?? random.uuid().uuidString).lowercased()
        transport.atAuthority { authority in
            authority.directory.addTenant(id, domain: domain, guests: guests.map(\.username))
        }
        return id
    }

    /// Adds a user with an account in a tenant, which is named by its identifier (default: Contoso, or the tenant in its
    /// place). Let the user sign in with ``user``.
    public func addUser(_ username: String, name: String, tenant: String? = nil) -> User {
        let id = random.uuid().uuidString.lowercased()
        return User(
            transport.atAuthority { $0.directory.addUser(id, username: username, name: name, tenantID: tenant) })
    }

    /// Gives a user app roles and groups, which the tokens list from the next request on (`roles`, `groups`).
    public func assign(roles: [String] = [], groups: [String] = [], to user: User) {
        transport.atAuthority { authority in
            guard let index = authority.directory.users.firstIndex(where: { $0.username == user.username }) else {
                return
            }
            (authority.directory.users[index].roles, authority.directory.users[index].groups) = (roles, groups)
        }
    }

    /// Invalidates every refresh token, as an administrator or a new password does. The next refresh fails with
    /// ``MSALError/interactionRequired``. Access tokens in the cache stay valid until they expire.
    public func revokeTokens() { transport.atAuthority { $0.revokeSignIns() } }

    /// A response that the token endpoint gives instead of its own.
    public struct Rejection: Sendable {
        fileprivate let response: HTTPResponse

        /// Too many requests (HTTP 429), with the seconds to pause (`Retry-After`, RFC 9110 §10.2.3).
        public static func throttled(seconds: Int) -> Rejection {
            Rejection(response: HTTPResponse(status: 429, headers: ["Retry-After": "\(seconds)"]))
        }

        /// An HTTP status without an OAuth error, such as 503.
        public static func status(_ status: Int) -> Rejection { Rejection(response: HTTPResponse(status: status)) }

        /// An OAuth error (RFC 6749 §5.2), such as `invalid_grant`.
        ///
        /// - Parameters:
        ///   - code: the number of Entra's error code, for example 50076 for `AADSTS50076`.
        ///   - suberror: Entra's detail for programs, such as `basic_action`.
        ///   - claims: the claims challenge, as JSON, that the next sign-in must request.
        public static func error(
            _ error: String, code: Int? = nil, description: String = "Played by the test.", suberror: String? = nil,
            claims: String? = nil
        ) -> Rejection {
            var members: [String: JSONValue] = ["error": .string(error)]
            members["error_description"] = .string(code.map { "AADSTS\($0): \(description)" } ?? description)
            members["error_codes"] = code.map { .array([.integer(Int64($0))]) }
            members["suberror"] = suberror.map { .string($0) }
            members["claims"] = claims.map { .string($0) }
            return Rejection(
                response: HTTPResponse(
                    status: 400, headers: ["Content-Type": "application/json"],
                    body: Array(JSONValue.object(members).serialized.utf8)))
        }
    }

    /// Lets the token endpoint reject every request for tokens, also those that redeem a code or poll with a device code;
    /// `nil` ends that. No code or refresh token is spent meanwhile.
    public func rejectTokenRequests(with rejection: Rejection?) {
        transport.play(tokenResponse: rejection?.response)
    }

    /// The time in this world. It starts at 2026-01-01 00:00 UTC and changes only through ``advance(by:)`` and waiting.
    public var now: Date { time.now() }

    /// Advances the time by a number of seconds, at most 30 years per call. For example, an access token expires after
    /// about an hour.
    public func advance(by seconds: TimeInterval) {
        time.advance(by: seconds.isNaN ? 0 : min(max(seconds, -1e9), 1e9))
    }

    /// Sets whether the network is down. Requests then fail as without one (`URLError.notConnectedToInternet`).
    public func setOffline(_ isOffline: Bool) { transport.trouble(isOffline ? .unplugged : nil) }

    /// The number of requests from applications and the scripted browser.
    public var requestCount: Int { transport.requests.count }

    /// Makes applications with this configuration use the authority. They share a cache.
    public func serve(_ configuration: MSALPublicClientApplicationConfig) {
        configuration.world = { self.world(for: $0) }
    }

    private func world(for configuration: MSALPublicClientApplicationConfig) -> ApplicationWorld {
        let registration = configuration.appRegistration?.value ?? Self.registration(for: configuration.redirectUri)
        let rules = RedirectURIRules(
            clientID: configuration.clientId, registration: registration ?? AppRegistration(bundleIdentifier: ""),
            isBypassed: configuration.bypassRedirectURIValidation)
        let (clientID, authority) = (configuration.clientId, configuration.authority.url)
        transport.atAuthority { $0.admit(authority: authority) }
        if case .accepted(let redirect) = rules.verify(configuration.redirectUri) {
            transport.atAuthority { $0.register(clientID: clientID, redirectURI: redirect.url.absoluteString) }
        }
        let receiver = MemoryReceiver()
        return ApplicationWorld(
            registration: registration,
            dependencies: Dependencies(
                time: time, random: random,
                transport: LimitedTransport(
                    transport: transport, seconds: configuration.httpSettings.timeoutIntervalForRequest),
                browser: SeatBrowser(authority: self, receiver: receiver), receiver: receiver, broker: NoBroker(),
                credentials: store, documents: documents, notices: NotificationCenterNotices(), proofKeys: proofKeys,
                adalFiles: MemoryADALFiles(), system: SystemDescription(version: "6.1.0-test"),
                logging: MSALGlobalConfig.loggerConfig,
                telemetry: MSALGlobalConfig.telemetryConfig, world: ObjectIdentifier(self)))
    }

    /// The registration of an application whose redirect URI has its own scheme, because the program of a test has no
    /// `Info.plist`. `nil` for another redirect URI.
    private static func registration(for redirectURI: String?) -> AppRegistration? {
        guard let redirectURI, let scheme = URL(string: redirectURI)?.scheme,
            !["http", "https"].contains(scheme.lowercased())
        else { return nil }
        let prefix = "msauth."
        return AppRegistration(
            bundleIdentifier: scheme.hasPrefix(prefix) ? String(scheme.dropFirst(prefix.count)) : "",
            urlSchemes: [scheme], querySchemes: ["msauthv2", "msauthv3"])
    }

    /// Lets the user enter the code while an application waits between two polls.
    private func enterDeviceCode() async throws {
        let (seat, page) = seat.withLock { seat in
            defer { if seat.user != nil { seat.devicePage = nil } }
            return (seat, seat.devicePage)
        }
        guard let page, let scriptedUser = scriptedUser(seat) else { return }
        _ = try await scriptedUser.finish(from: page)
    }

    private func scriptedUser(_ seat: Seat) -> ScriptedUser? {
        seat.user.map { user in
            let consent = seat.declinedScopes.isEmpty ? ScriptedUser.Consent.accept : .without(seat.declinedScopes)
            return ScriptedUser(
                username: user.username, password: user.password, consent: seat.grantsConsent ? consent : .decline
            ) { [transport] in try await transport.send($0) }
        }
    }

    fileprivate func browser(landingOn receiver: MemoryReceiver) -> FollowingBrowser? {
        scriptedUser(seat.withLock { $0 }).map { FollowingBrowser(user: $0, receiver: receiver) }
    }
}

private typealias DirectoryUser = User

private struct NoBroker: Broker {
    func presence() -> BrokerPresence { .absent("No identity broker is on the session bus.") }

    func response(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) throws(BrokerFailure) -> Secret {
        throw BrokerFailure(.absent, reason: "There is none.")
    }
}

/// The browser of the user at the time when a page opens.
private struct SeatBrowser: BrowserLauncher {
    let authority: MSALTestAuthority
    let receiver: MemoryReceiver

    func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        guard !authority.leavesPageOpen else { return authority.leaveOpen() }
        guard let browser = authority.browser(landingOn: receiver) else {
            throw BrowserLaunchFailure(.noBrowser, reason: "The scripted browser has no user.")
        }
        try await browser.open(page)
    }
}

extension Directory {
    /// The standard directory with Microsoft Graph as the resource of scopes that name none.
    fileprivate static let ofMicrosoft: Directory = {
        var directory = standard
        let (former, graph) = (directory.resources[0].identifier, "https://graph.microsoft.com")
        directory.resources[0].identifier = graph
        for index in directory.users.indices {
            directory.users[index].consents = directory.users[index].consents.mapValues { consents in
                Set(consents.map { $0.replacing(former, with: graph) })
            }
        }
        return directory
    }()
}
