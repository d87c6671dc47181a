import Foundation
import KeyturnSystem
import OAuthCore

extension MSALPublicClientApplication {
    /// Creates an application for a protected resource, from its URL alone (RFC 9728). Not in MSAL for iOS and macOS.
    ///
    /// Finds the resource's authorization server, and registers this client there if the configuration has no client for
    /// it. The result is cached, so that a later call sends no request. Request the tokens with the
    /// scopes of ``MSALPublicClientApplicationConfig/resource``.
    ///
    /// A program that can run several times at once calls ``protectedResource(at:challenge:configuration:events:exchanges:requests:)``,
    /// and then ``application(for:configuration:registering:events:exchanges:requests:)`` and the sign-in one at a time for each issuer.
    ///
    /// - Parameters:
    ///   - url: the URL of the resource.
    ///   - challenge: the resource's challenge, if it is known. It can name the metadata and the scopes.
    ///   - configuration: the client ID can be empty, and the authority is used only if the resource trusts it.
    ///   - renewing: whether to query the resource even if the result is cached.
    ///   - registering: whether to register this client if needed. If not, the call fails because a sign-in is required.
    ///   - events: receives the steps.
    ///   - exchanges: receives the requests and responses, without secrets.
    ///   - requests: holds each request (``MSALParameters/flowRequestHandler``).
    public nonisolated(nonsending) static func application(
        forResource url: URL, challenge: MSALChallenge? = nil, configuration: MSALPublicClientApplicationConfig,
        renewing: Bool = false, registering: Bool = true, events: (@Sendable (MSALFlowEvent) -> Void)? = nil,
        exchanges: (@Sendable (MSALFlowExchange) -> Void)? = nil,
        requests: (@Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit])? = nil
    ) async throws -> MSALPublicClientApplication {
        let configuration = try translatingErrors { try inOneWorld(configuration) }
        let resource = try await discovering(url, configuration, registering, events, exchanges, requests) {
            discovery in
            if !renewing, let cached = try discovery.cached(url, challenge) { return cached }
            return try await discovery.completed(try await discovery.find(url, challenge))
        }
        return try translatingErrors { try ready(for: resource, configuration) }
    }

    /// Finds a resource's authorization server and scopes, from its URL alone (RFC 9728). Registers nothing. Not in MSAL for
    /// iOS and macOS.
    ///
    /// The parameters are those of
    /// ``application(forResource:challenge:configuration:renewing:registering:events:exchanges:requests:)``.
    public nonisolated(nonsending) static func protectedResource(
        at url: URL, challenge: MSALChallenge? = nil, configuration: MSALPublicClientApplicationConfig,
        events: (@Sendable (MSALFlowEvent) -> Void)? = nil, exchanges: (@Sendable (MSALFlowExchange) -> Void)? = nil,
        requests: (@Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit])? = nil
    ) async throws -> MSALProtectedResource {
        let configuration = try translatingErrors { try inOneWorld(configuration) }
        return try await discovering(url, configuration, false, events, exchanges, requests) {
            try await $0.find(url, challenge)
        }
    }

    /// Examines a resource and its authorization server as a sign-in would, and asks all places of their metadata. Registers
    /// nothing, signs in no user, and never fails: the result says what is wrong. Not in MSAL for iOS and macOS.
    ///
    /// - Parameters:
    ///   - url: the URL of the resource.
    ///   - configuration: the client ID can be empty.
    public nonisolated(nonsending) static func probeResource(
        at url: URL, configuration: MSALPublicClientApplicationConfig
    ) async -> MSALResourceProbe {
        do {
            let probing = ResourceProbing(url, try discovery(try inOneWorld(configuration), of: url))
            return try await ThreadPool.runBlocking { await probing.run() }
        } catch { return MSALResourceProbe(url: url, failure: MSALAuthenticationError(translating: error)) }
    }

    /// Creates an application for a resource that was found before, and registers this client if needed. Uses a registration
    /// that another process has made since. Not in MSAL for iOS and macOS.
    ///
    /// The parameters are those of
    /// ``application(forResource:challenge:configuration:renewing:registering:events:exchanges:requests:)``.
    public nonisolated(nonsending) static func application(
        for resource: MSALProtectedResource, configuration: MSALPublicClientApplicationConfig, registering: Bool = true,
        events: (@Sendable (MSALFlowEvent) -> Void)? = nil, exchanges: (@Sendable (MSALFlowExchange) -> Void)? = nil,
        requests: (@Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit])? = nil
    ) async throws -> MSALPublicClientApplication {
        let configuration = try translatingErrors { try inOneWorld(configuration) }
        let resource = try await discovering(resource.url, configuration, registering, events, exchanges, requests) {
            try await $0.completed(resource)
        }
        return try translatingErrors { try ready(for: resource, configuration) }
    }

    private nonisolated(nonsending) static func discovering(
        _ url: URL, _ configuration: MSALPublicClientApplicationConfig, _ registering: Bool,
        _ events: (@Sendable (MSALFlowEvent) -> Void)?, _ exchanges: (@Sendable (MSALFlowExchange) -> Void)?,
        _ requests: FlowHold.Handler? = nil,
        _ work: @escaping @Sendable (ResourceDiscovery) async throws -> MSALProtectedResource
    ) async throws -> MSALProtectedResource {
        do {
            var discovery = try discovery(configuration, of: url, events, exchanges, requests)
            discovery.mayRegister = registering
            return try await ThreadPool.runBlocking { [discovery] in try await work(discovery) }
        } catch let malformed as Challenge.Malformed {
            throw MSALAuthenticationError(.invalid(malformed.reason))
        } catch { throw MSALAuthenticationError(translating: error) }
    }

    /// Returns the application for a resource as it was found earlier, or `nil`. Sends no request. Not in MSAL for iOS and
    /// macOS.
    public static func knownApplication(
        forResource url: URL, challenge: MSALChallenge? = nil, configuration: MSALPublicClientApplicationConfig
    ) throws -> MSALPublicClientApplication? {
        try translatingErrors {
            let configuration = try inOneWorld(configuration)
            return try discovery(configuration, of: url).cached(url, challenge).map {
                try ready(for: $0, configuration)
            }
        }
    }

    /// Returns the protected resources that have tokens in the cache, for this configuration's client. Sends no request. Not
    /// in MSAL for iOS and macOS.
    public static func signedInResources(
        configuration: MSALPublicClientApplicationConfig
    ) throws -> [MSALProtectedResource] {
        try translatingErrors { try discovery(try inOneWorld(configuration)).signedIn() }
    }

    /// A copy of the configuration for both discovery and application, so that the cache is opened once.
    private static func inOneWorld(
        _ configuration: MSALPublicClientApplicationConfig
    ) throws -> MSALPublicClientApplicationConfig {
        let own = configuration.copy() as? MSALPublicClientApplicationConfig ?? configuration
        own.use(try world(of: configuration))
        return own
    }

    private static func ready(
        for resource: MSALProtectedResource, _ configuration: MSALPublicClientApplicationConfig
    ) throws -> MSALPublicClientApplication {
        configuration.apply(resource)
        if configuration.managedServer(for: resource.url) == nil, !resource.usesConfiguredAuthority,
            let issuer = URL(string: resource.issuer)
        {
            configuration.authority = try MSALOIDCAuthority(url: issuer)
        }
        return try MSALPublicClientApplication(configuration: configuration)
    }

    /// Forgets the registration of this client at the resource's authorization server (RFC 7591), so that the next
    /// ``application(forResource:challenge:configuration:renewing:registering:events:exchanges:requests:)`` registers it again. Not in MSAL for iOS and
    /// macOS.
    ///
    /// For a registration that the server has deleted: it rejects the client, or shows an error in the browser.
    ///
    /// - Parameter unlessUsed: whether to keep a registration that has tokens, of any resource.
    public func forgetClientRegistration(unlessUsed: Bool = false) throws {
        guard let resource = configuration.resource, resource.clientSource == .registration else { return }
        try Self.translatingErrors {
            if unlessUsed, try cache.hasTokens() { return }
            try Self.discovery(configuration).forgetRegistration(of: resource)
        }
    }

    /// Returns what the user agreed to for a server, or for all: which tokens of this application they get. Sends no request. Not
    /// in MSAL for iOS and macOS.
    public func tokenAgreements(for url: URL? = nil) throws -> [MSALTokenAgreement] {
        try Self.translatingErrors {
            try TokenAgreements(documents: OwnDocuments(dependencies)).all(of: settings.clientID)
                .filter { url == nil || $0.url == url?.endpoint }
        }
    }

    /// Takes an agreement back. Not in MSAL for iOS and macOS.
    public func forget(_ agreement: MSALTokenAgreement) throws {
        try Self.translatingErrors { try TokenAgreements(documents: OwnDocuments(dependencies)).forget(agreement) }
    }

    /// Whether a token with these scopes is for a server without a question: the server is the authority's or the API's of the
    /// scopes, or the configuration names it. Not in MSAL for iOS and macOS.
    public func names(_ server: URL, scopes: [String]) -> Bool {
        var decision = TokenDecision(
            server: server, authority: settings.authority, sendsResource: false, scopes: Scopes(scopes))
        decision.configured = settings.resourceScopes[server.origin]
        decision.managed = settings.isManagedToken(for: server)
        guard case .allowed = decision.verdict else { return false }
        return true
    }

    /// The scopes to request for a server's challenge, whose own are added. At an authority that doesn't bind tokens to servers,
    /// what was for another API, or what the server no longer asks for, is none of them: instead, those that the user agreed to.
    ///
    /// - Parameter usual: the scopes of the profile, or those that the server named earlier.
    package func scopes(_ usual: [String], for server: URL, meeting challenge: MSALChallenge?) throws -> [String] {
        let rule = settings.authority.audienceRule
        guard rule != .resource, !names(server, scopes: usual) else { return usual }
        let agreed = try tokenAgreements(for: server).flatMap(\.scopes)
        let requested = challenge?.scopes ?? []
        let isServers = configuration.resource?.url == server
        if isServers, requested.isEmpty ? !usual.isEmpty : Set(usual).isSubset(of: agreed) { return usual }
        let scopes = Scopes(requested + agreed).names
        guard let api = scopes.first.map({ ScopeTarget($0).api }) else { return usual }
        // One token is for one API.
        return rule == .scopes ? scopes.filter { ScopeTarget($0).api == api } : scopes
    }

    /// Whether the authority has rejected the registration of this client since the last sign-in, so that the next sign-in
    /// makes another one. Not in MSAL for iOS and macOS.
    public var isClientRegistrationRejected: Bool {
        guard let resource = configuration.resource, let key = resource.registrationKey,
            let discovery = try? Self.discovery(configuration)
        else { return false }
        return (try? discovery.isRejected(resource.clientId, key)) ?? false
    }

    private static func discovery(
        _ configuration: MSALPublicClientApplicationConfig, of url: URL? = nil,
        _ events: (@Sendable (MSALFlowEvent) -> Void)? = nil,
        _ exchanges: (@Sendable (MSALFlowExchange) -> Void)? = nil, _ requests: FlowHold.Handler? = nil
    ) throws -> ResourceDiscovery {
        var dependencies = try world(of: configuration).dependencies
        var toResource = dependencies.transport
        let log = dependencies.log()
        if exchanges != nil || requests != nil {
            let recorder = ExchangeRecorder(
                time: dependencies.time, correlationID: dependencies.random.uuid(), handler: exchanges)
            let hold = requests.map { FlowHold(recorder: recorder, log: log, handler: $0) }
            toResource = recorder.recording(dependencies.transport, as: .resource, heldBy: hold)
            dependencies.transport = recorder.recording(dependencies.transport, heldBy: hold)
        }
        let server = url.flatMap(configuration.managedServer)
        return ResourceDiscovery(
            clientID: server?.clientId ?? configuration.clientId,
            authority: try server?.openIDAuthority ?? configuration.authority.value,
            redirectURI: configuration.redirectUri,
            clientDocument: server == nil
                ? configuration.clientMetadataDocument ?? ClientRegistration.hostedDocument : nil,
            listener: configuration.loopbackListener,
            registrationScopes: Scopes(configuration.registrationScopes),
            allowsStrangePages: configuration.allowsStrangePages,
            dependencies: dependencies, toResource: toResource,
            reporter: FlowReporter(log: log, handler: events), isManaged: server != nil)
    }
}

extension MSALPublicClientApplicationConfig {
    /// The client ID metadata document for ``clientMetadataDocument``, as JSON to host at that address. Not in MSAL for
    /// iOS and macOS.
    ///
    /// A loopback redirect URI is listed with both hosts and each port of ``loopbackListener``, because some servers compare it
    /// whole.
    public func clientMetadataJSON(name: String) -> String {
        ClientRegistration.metadata(
            name: name, redirectURIs: documentRedirectURIs, clientID: clientMetadataDocument, getsDeviceCodes: true
        ).serialized
    }

    private var documentRedirectURIs: [String] {
        let own = redirectUri ?? "http://localhost"
        guard let url = URL(string: own), url.isLoopback, url.lowercasedScheme == "http" else { return [own] }
        let ports: [Int?] = url.port.map { [$0] } ?? loopbackListener?.ports.map { $0.map(Int.init) } ?? [nil]
        let path = own.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        let host = url.host() ?? "localhost"
        return Set([host.contains(":") ? "[\(host)]" : host, "127.0.0.1", "localhost"]).sorted().flatMap { host in
            ports.map { port in "http://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }
        }
    }

    fileprivate func apply(_ found: MSALProtectedResource) {
        var resource = found
        resource.accountName = resourceAccountName
        // That revision of MCP has no such parameter. A server whose issuer is elsewhere needs it, so that tokens are for it alone.
        resource.isSent =
            sendsResource && !(resource.isOwnServer && URL(string: resource.issuer)?.origin == resource.url.origin)
        if resource.clientSource == .configuration { resource.grantingAuthority = authority.value }
        resource.allowsStrangePages = allowsStrangePages
        self.resource = resource
        // The client is the one at the organisation's authority.
        guard managedServer(for: found.url) == nil else { return }
        clientId = resource.clientId
        redirectUri = resource.redirectUri ?? redirectUri
    }
}
