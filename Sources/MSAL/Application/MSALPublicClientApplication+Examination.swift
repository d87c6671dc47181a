import Foundation
import KeyturnSystem
import OAuthCore

extension MSALPublicClientApplication {
    /// Checks the application's authority as a sign-in would: reachability, issuer, keys and clock. Not in MSAL for iOS
    /// and macOS.
    ///
    /// Ignores cached documents and signs in no user. Cancel the task to stop waiting.
    ///
    /// - Parameter replacesCached: whether the fetched documents replace the cached ones. Pass `false` to try out a
    ///   configuration without touching the cache.
    public nonisolated(nonsending) func probeAuthority(replacesCached: Bool = true) async -> MSALAuthorityProbe {
        var once = dependencies
        once.transport = plainTransport
        if !replacesCached { once.documents = NoDocuments() }
        return await AuthorityProbing(
            settings: settings, dependencies: once,
            metadata: replacesCached ? metadata : MetadataSource(dependencies: once), log: log()
        ).run()
    }

    /// Sends an authorization request with `prompt=none`, as a browser without a session would, and follows no redirect.
    /// Not in MSAL for iOS and macOS.
    ///
    /// The authority answers at the redirect URI only if it knows the client and the URI. Signs in no user.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI that the authority should know.
    ///   - clientID: a client to compare with; `nil` for the application's.
    public nonisolated(nonsending) func probeRegistration(
        redirectURI: String, clientID: String? = nil
    ) async throws -> MSALRegistrationProbe {
        try await Self.runBlocking { [self] in
            let secrets = OneTimeSecrets(random: dependencies.random)
            let authority = try await resolver.resolve(settings.authority)
            var request = AuthorizationRequest(
                endpoint: authority.configuration.authorizationEndpoint,
                clientID: clientID ?? settings.clientID, redirectURI: redirectURI, scopes: Scopes(["openid"]),
                state: secrets.state, nonce: secrets.nonce, codeChallenge: secrets.verifier.challenge)
            request.prompt = Prompt.none
            request.requestsClientInfo = false
            try dependencies.checkServer(of: request.endpoint)
            let page = try await context(MSALParameters(), dependencies.random.uuid()).page(
                for: request, at: authority
            ).url
            let response = try await plainTransport.send(HTTPRequest(.get, page))
            return MSALRegistrationProbe(
                request: request.url, status: response.status, location: response.headers["Location"],
                body: response.text)
        }
    }

    /// Checks an ID token with the authority's current keys and the rules of a sign-in, except those that need its
    /// request. Not in MSAL for iOS and macOS.
    ///
    /// Ignores cached documents and caches none. Signs in no user.
    public nonisolated(nonsending) func verdicts(onIDToken text: String) async throws -> [MSALIDTokenVerdict] {
        try await Self.runBlocking { [self] in
            guard let token = try? JWT(parsing: text) else {
                throw AuthenticationFailure.authority(.idTokenMalformed(.otherType))
            }
            var once = dependencies
            once.transport = plainTransport
            once.documents = NoDocuments()
            let resolver = AuthorityResolver(
                metadata: MetadataSource(dependencies: once), transport: plainTransport,
                reporter: FlowReporter(log: log()), knownAuthorities: settings.knownAuthorities, ignoresCache: true)
            var authority = try await resolver.resolve(settings.authority)
            var input = IDTokenRules.Input(
                token: token, issuer: authority.issuer, clientID: settings.clientID, localTime: once.time.now())
            input.origin = .text
            input.keys = try await resolver.keys(of: &authority).value
            return IDTokenRules().judge(input).map(MSALIDTokenVerdict.init)
        }
    }

    /// Whether the authority has a device authorization endpoint (RFC 8628 §4). Not in MSAL for iOS and macOS.
    ///
    /// Sends a request only when the cached discovery document is more than a day old. Throws the same errors as a
    /// sign-in.
    public nonisolated(nonsending) func offersDeviceCode() async throws -> Bool {
        try await Self.runBlocking { [self] in
            try await resolver.resolve(settings.authority).configuration.deviceAuthorizationEndpoint != nil
        }
    }

    /// Whether the last discovery document has a device authorization endpoint, or `nil` if none was fetched or cached.
    /// Not in MSAL for iOS and macOS.
    ///
    /// Uses a document of any age; sends no request.
    public var cachedDeviceCodeSupport: Bool? {
        metadata.notedDeviceCodeOffer(of: settings.authority)
            ?? resolver.cachedConfiguration(of: settings.authority).map { $0.deviceAuthorizationEndpoint != nil }
    }

    /// Runs work that may wait for the disk or the network on the library's threads, and translates its errors.
    nonisolated(nonsending) static func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do { return try await ThreadPool.runBlocking(work) } catch { throw MSALAuthenticationError(translating: error) }
    }

    var resolver: AuthorityResolver {
        AuthorityResolver(settings, metadata, dependencies.transport, FlowReporter(log: log()))
    }
}

/// The authority's response to an authorization request with `prompt=none` (OpenID Connect Core §3.1.2.1), for
/// diagnosis. Not in MSAL for iOS and macOS.
public struct MSALRegistrationProbe: Sendable {
    /// The authorization request.
    public let request: URL
    /// The status of the response.
    public let status: Int
    /// The target of a redirect.
    public let location: String?
    /// The page or document. Untrusted text.
    public let body: String

    /// Creates a response.
    public init(request: URL, status: Int, location: String? = nil, body: String = "") {
        (self.request, self.status, self.location, self.body) = (request, status, location, body)
    }
}
