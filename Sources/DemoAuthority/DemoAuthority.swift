import Foundation
import KeyturnCrypto
import OAuthCore

/// An OpenID provider that behaves like Entra, as a value without sockets, clock or randomness: requests in, responses
/// out. It performs all checks of a real authority.
package struct DemoAuthority: Sendable {
    /// The longest URL and largest body accepted, in bytes.
    package static let maximumURLLength = 16 * 1024
    package static let maximumBodyLength = 64 * 1024

    /// The scheme, host and port, without a trailing slash: `http://127.0.0.1:8400`.
    var origin: String
    let keys: DemoKeys
    package var directory: Directory
    var settings: AuthoritySettings
    let randomBytes: @Sendable (Int) -> [UInt8]

    var browsers = ExpiringTable<BrowserSession>(capacity: 1000)
    var pending = ExpiringTable<PendingSignIn>(capacity: 1000)
    var pushedRequests = ExpiringTable<PushedRequest>(capacity: 1000)
    var codes = ExpiringTable<CodeGrant>(capacity: 5000)
    var devices = ExpiringTable<DeviceSignIn>(capacity: 1000)
    /// With their keys in `devices`.
    var userCodes = ExpiringTable<String>(capacity: 1000)
    /// The access tokens that the UserInfo endpoint accepts, by digest.
    var accessTokens = ExpiringTable<IssuedAccess>(capacity: 5000)
    var redeemedAssertions = ExpiringTable<Bool>(capacity: 5000)
    var families = ExpiringTable<RefreshTokenFamily>(capacity: 5000)
    /// The users' consents: by user identifier, then by client identifier, as consent keys.
    var consents: [String: [String: Set<String>]]

    var wrongUserCodes = RateLimit(events: 20, seconds: 60)
    var keyRotations = 0
    var hasIssuedTokens = false
    var interruptionsLeft: Int

    var lifetimes: Lifetimes { settings.lifetimes }

    /// - Parameter randomBytes: returns the given number of unpredictable bytes. Tests can pass predictable ones.
    package init(
        origin: URL, keys: DemoKeys, directory: Directory = .standard,
        settings: AuthoritySettings = AuthoritySettings(),
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        let text = origin.absoluteString
        self.origin = text.hasSuffix("/") ? String(text.dropLast()) : text
        (self.keys, self.directory, self.settings, self.randomBytes) = (keys, directory, settings, randomBytes)
        interruptionsLeft = settings.interruption?.requests ?? 0
        consents = Dictionary(directory.users.map { ($0.objectID, $0.consents) }) { first, _ in first }
    }

    /// The issuer of a tenant, with which plain OpenID clients are configured.
    package func issuer(ofTenant id: String) -> String { "\(origin)/\(id)/v2.0" }

    package mutating func register(clientID: String, redirectURI: String) {
        directory.register(clientID: clientID, redirectURI: redirectURI)
    }

    /// Returns the response to a request. Never fails, whatever the request contains.
    package mutating func respond(to request: HTTPRequest, at now: Date) -> HTTPResponse {
        let now = now + settings.clockOffset
        let received = ReceivedRequest(request, at: now, identifier: identifier)
        var response: HTTPResponse
        do { response = try route(received) } catch { response = rejection(error, in: received) }
        if let route = Route(request.url) {
            for fault in settings.faults { fault.spoil(&response, of: route.endpoint, isRefresh: received.isRefresh) }
        }
        response.headers["Date"] = HTTPDate.format(now)
        response.headers["x-ms-request-id"] = received.traceID
        if received.wantsCorrelationIDBack { response.headers["client-request-id"] = received.correlationID }
        if request.method == .head { response.body = [] }
        return response
    }

    private mutating func route(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        let request = received.request
        guard request.url.absoluteString.utf8.count <= Self.maximumURLLength else { return PlainRejection.uriTooLong }
        guard request.body.count <= Self.maximumBodyLength else { return PlainRejection.contentTooLarge }
        guard isOwnHost(request.url) else { return PlainRejection.misdirected }
        guard let route = Route(request.url) else { return PlainRejection.notFound }
        guard route.methods.contains(request.method) else {
            let detail = "Method: \(request.method.rawValue)."
            var response = rejection(AuthorityError(.methodNotAllowed, detail: detail), in: received)
            response.headers["Allow"] = route.methods.map(\.rawValue).joined(separator: ", ")
            return response
        }
        switch route.endpoint {
        case .home: return .page(.home(origin, directory))
        case .stylesheet: return Stylesheet.response
        case .errorExplanation: return errorExplanation(received)
        case .instanceDiscovery: return try instanceDiscovery(received)
        case .openIDConfiguration: return openIDConfiguration(for: try selector(route))
        case .keys: return keySet(for: try selector(route))
        case .authorize: return try authorize(received, at: try selector(route))
        case .pushedRequest: return try pushRequest(received, at: try selector(route))
        case .token: return try token(received, at: try selector(route))
        case .revocation: return try revoke(received, at: try selector(route))
        case .logout: return logout(received, at: try selector(route))
        case .deviceAuthorization: return try deviceAuthorization(received, at: try selector(route))
        case .device: return try device(received)
        case .signIn: return try submitSignIn(received)
        case .chooseAccount: return try submitAccount(received)
        case .consent: return try submitConsent(received)
        case .secondFactor: return try submitSecondFactor(received)
        case .userInfo: return try userInfo(received)
        case .api: return route.api.map { api($0, received) } ?? PlainRejection.notFound
        case .apiMetadata: return route.api.map(apiMetadata) ?? PlainRejection.notFound
        case .authorizationServer: return authorizationServer(for: try selector(route))
        case .registration:
            _ = try selector(route)
            return registerClient(received)
        case .signOut: return try submitSignOut(received, at: try selector(route))
        }
    }

    /// Rejects hosts of other names, to prevent DNS rebinding.
    private func isOwnHost(_ url: URL) -> Bool {
        guard let own = URL(string: origin), !url.lowercasedHost.isEmpty else { return false }
        return url.lowercasedHost == own.lowercasedHost || (url.isLoopback && own.isLoopback)
    }

    private func selector(_ route: Route) throws(AuthorityError) -> TenantSelector { try selector(route.tenant ?? "") }

    func selector(_ segment: String) throws(AuthorityError) -> TenantSelector {
        guard let selector = directory.selector(for: segment) else {
            throw AuthorityError(.unknownTenant, detail: "Tenant: \(quoted(segment)).")
        }
        return selector
    }

    private func rejection(_ error: AuthorityError, in received: ReceivedRequest) -> HTTPResponse {
        if Route(received.request.url)?.isForPrograms == true {
            var response = HTTPResponse.json(error.json(in: received, origin: origin), status: error.status)
            response.headers["WWW-Authenticate"] = error.challenge
            return response
        }
        var response = HTTPResponse.page(.error(error, received), status: error.status)
        response.headers["Retry-After"] = error.retryAfter.map { "\($0)" }
        return response
    }

    func randomToken() -> String { Base64URL.encode(randomBytes(32)) }

    /// A random GUID (RFC 9562 §5.4).
    func identifier() -> String {
        var bytes = Array(randomBytes(16).prefix(16))
        bytes += Array(repeating: 0, count: 16 - bytes.count)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.hexadecimal.hyphenated
    }

    /// The digest under which a code, refresh token or cookie is stored, so that the state contains no secrets.
    func digest(_ secret: String) -> String { Base64URL.encode(SHA2.sha256(Array(secret.utf8))) }
}
