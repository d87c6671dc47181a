import Foundation
import KeyturnSystem
import OAuthCore

/// Checks an authority with the code of a real sign-in: instance discovery, discovery document, issuer and keys.
/// Ignores cached documents, and replaces them with the new ones.
struct AuthorityProbing {
    let settings: ApplicationSettings
    let dependencies: Dependencies
    let metadata: MetadataSource
    let log: EngineLog

    func run() async -> MSALAuthorityProbe {
        let start = dependencies.time.now()
        let transport = DatedTransport(dependencies.transport, time: dependencies.time)
        var found: (authority: ResolvedAuthority, keys: Int?)?
        var failure: MSALAuthenticationError?
        do {
            found = try await probe(by: transport)
        } catch { failure = MSALAuthenticationError(translating: error) }
        let configuration = found?.authority.configuration
        return MSALAuthorityProbe(
            url: settings.authority.url, issuer: configuration?.issuer.text, signingKeyCount: found?.keys,
            offersDeviceCode: configuration?.deviceAuthorizationEndpoint != nil,
            offersSignOut: configuration?.endSessionEndpoint != nil,
            codeChallengeMethods: configuration?.codeChallengeMethods,
            requestsRefreshToken: found.map { requestsRefreshToken(of: $0.authority) } ?? true,
            unusableEndpoints: configuration?.unusableEndpoints.keys.sorted() ?? [],
            authorityDate: transport.last?.authorityDate,
            localDate: transport.last?.localDate ?? dependencies.time.now(),
            duration: dependencies.time.now().timeIntervalSince(start), failure: failure)
    }

    private func requestsRefreshToken(of authority: ResolvedAuthority) -> Bool {
        // Without a list, an authorization server of a resource decides by itself.
        if settings.resource != nil || settings.authority.oauthServer != nil,
            authority.configuration.scopesSupported.isEmpty
        {
            return true
        }
        return authority.configuration.isGoogle || settings.sent([], to: authority).contains("offline_access")
    }

    private func probe(by transport: any HTTPTransport) async throws -> (authority: ResolvedAuthority, keys: Int?) {
        var resolver = AuthorityResolver(settings, metadata, transport, FlowReporter(log: log))
        resolver.ignoresCache = true
        var resolved = try await resolver.resolve(settings.authority)
        // An authorization server without OpenID Connect signs nothing.
        if let endpoints = settings.authority.oauthServer?.endpoints {
            // No document was fetched, so only a response of any kind shows that the server is there.
            do { _ = try await transport.send(.metadata(at: endpoints.token)) } catch {
                throw AuthenticationFailure.network(error, host: endpoints.token.hostAndPort)
            }
        }
        let keys = resolved.configuration.jwksURI == nil ? nil : try await resolver.keys(of: &resolved).value.keys.count
        try dependencies.checkServer(of: resolved.configuration.authorizationEndpoint)
        return (resolved, keys)
    }
}

struct NoDocuments: DocumentCache {
    func load(_ url: URL) -> CachedDocument? { nil }
    func save(_ document: CachedDocument?, for url: URL) {}
    func urls(beginning start: String) -> [URL] { [] }
}

/// Records both clocks when a response arrives.
private final class DatedTransport: HTTPTransport {
    struct Moment {
        var authorityDate: Date?
        var localDate: Date
    }

    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let noted = Locked<Moment?>(nil)

    init(_ transport: any HTTPTransport, time: any TimeSource) {
        self.transport = transport
        self.time = time
    }

    var last: Moment? { noted.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = try await transport.send(request)
        let moment = Moment(authorityDate: response.headers["Date"].flatMap(HTTPDate.parse), localDate: time.now())
        noted.withLock { $0 = moment }
        return response
    }
}

/// The state of an authority, for diagnosis. Not in MSAL for iOS and macOS.
public struct MSALAuthorityProbe: Sendable {
    /// The configured URL of the authority.
    public let url: URL
    /// The issuer that the authority states, which may contain `{tenantid}`. `nil` when it is unknown.
    public let issuer: String?
    /// The number of public keys that can verify ID tokens, or `nil` without a key document.
    public let signingKeyCount: Int?
    /// Whether the authority supports the device authorization grant (RFC 8628).
    public let offersDeviceCode: Bool
    /// Whether the authority has an end-session endpoint.
    public let offersSignOut: Bool
    /// The supported code challenge methods (RFC 7636), or `nil` when the discovery document lists none.
    public let codeChallengeMethods: [String]?
    /// Whether a sign-in requests a refresh token, by the scope `offline_access` or in Google's way.
    public let requestsRefreshToken: Bool
    /// The optional endpoints with an unusable URL, by their names in the discovery document.
    public let unusableEndpoints: [String]
    /// The authority's clock in its last response, or `nil` without a dated response.
    public let authorityDate: Date?
    /// This machine's clock when that response arrived.
    public let localDate: Date
    /// The duration of the whole check, in seconds.
    public let duration: TimeInterval
    /// The error with which a sign-in would fail at this point, or `nil`.
    public let failure: MSALAuthenticationError?

    /// Creates a report.
    public init(
        url: URL, issuer: String? = nil, signingKeyCount: Int? = nil, offersDeviceCode: Bool = false,
        offersSignOut: Bool = false, codeChallengeMethods: [String]? = nil,
        requestsRefreshToken: Bool = true, unusableEndpoints: [String] = [],
        authorityDate: Date? = nil, localDate: Date, duration: TimeInterval = 0, failure: MSALAuthenticationError? = nil
    ) {
        (self.url, self.issuer) = (url, issuer)
        (self.signingKeyCount, self.offersDeviceCode) = (signingKeyCount, offersDeviceCode)
        (self.offersSignOut, self.codeChallengeMethods) = (offersSignOut, codeChallengeMethods)
        (self.requestsRefreshToken, self.unusableEndpoints) = (requestsRefreshToken, unusableEndpoints)
        (self.authorityDate, self.localDate) = (authorityDate, localDate)
        (self.duration, self.failure) = (duration, failure)
    }
}
