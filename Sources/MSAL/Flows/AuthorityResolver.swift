import Foundation
import OAuthCore

/// Finds the endpoints, issuer and aliases of an authority before a token request (docs/upstream-behaviour.md §2.1).
struct AuthorityResolver: Sendable {
    let metadata: MetadataSource
    /// The transport of the current request, so that its exchanges are recorded.
    let transport: any HTTPTransport
    let reporter: FlowReporter
    /// The authorities that the developer trusts without instance discovery.
    var knownAuthorities: Set<Authority> = []
    var ignoresCache = false
    /// The resource whose authorization server this is. It need not be an OpenID provider.
    var resource: MSALProtectedResource?

    func resolve(_ authority: Authority) async throws -> ResolvedAuthority {
        reporter.started(.findAuthority, "Finding \(authority.url.absoluteString)")
        do {
            guard isItsOwnSource(authority) else {
                throw AuthenticationFailure.caller(.authorityNotKnown(authority.url))
            }
            let environments = try await environments(of: authority)
            let configuration = try await configuration(of: authority, environments)
            metadata.note(offersDeviceCode: configuration.value.deviceAuthorizationEndpoint != nil, of: authority)
            reporter.succeeded(.findAuthority, "Found the issuer \(configuration.value.issuer.text)")
            return ResolvedAuthority(
                authority: authority, configuration: configuration.value, environments: environments,
                isCached: configuration.isCached)
        } catch {
            reporter.failed(.findAuthority, "\(authority.environment) could not be used")
            throw error
        }
    }

    /// With a new discovery document, because the cached one seems outdated. `nil` when it was just fetched.
    func reread(_ authority: ResolvedAuthority) async throws -> ResolvedAuthority? {
        guard authority.isCached else { return nil }
        reporter.noted(.findAuthority, "Fetching \(authority.authority.url.absoluteString) again")
        return try await current(authority)
    }

    func current(_ authority: ResolvedAuthority) async throws -> ResolvedAuthority {
        guard authority.isCached else { return authority }
        var reread = authority
        reread.configuration = try await ignoringCache.configuration(of: authority.authority, authority.environments)
            .value
        reread.isCached = false
        return reread
    }

    private var ignoringCache: AuthorityResolver {
        var resolver = self
        resolver.ignoresCache = true
        return resolver
    }

    private func document<Value>(
        _ url: URL, isAgeless: Bool = false, parse: ([UInt8]) throws -> Value
    ) async throws -> MetadataSource.Found<Value> {
        guard ignoresCache else {
            return try await metadata.document(url, isAgeless: isAgeless, by: transport, parse: parse)
        }
        return .init(value: try await metadata.fetched(url, by: transport, parse: parse), isCached: false)
    }

    /// Only a B2C host that is neither Microsoft's nor a known authority can't be trusted by itself. The cloud vouches for
    /// Microsoft Entra ID; OpenID providers are checked against their issuer; External ID is never validated.
    private func isItsOwnSource(_ authority: Authority) -> Bool {
        guard case .b2c = authority.kind else { return true }
        return authority.url.isLoopback || knownAuthorities.contains(authority)
            || MicrosoftHosts.signIn.contains(authority.environment)
    }

    /// Whether a cloud that a response names may get requests: a Microsoft cloud or one from instance discovery.
    func trusts(cloud environment: String, besides authority: Authority) -> Bool {
        MicrosoftHosts.signIn.contains(environment.lowercased())
            || cachedInstances(for: authority)?.cloud(of: environment) != nil
    }

    /// The aliases of an authority. Cached ones are valid at any age, so that a cached token needs no network. If instance
    /// discovery fails for an authority that the developer trusts, it has only its own name.
    func environments(of authority: Authority) async throws -> ResolvedAuthority.Environments {
        let isKnown = knownAuthorities.contains(authority)
        do {
            return try await metadata.environments(of: authority, anew: ignoresCache) {
                guard let url = authority.instanceDiscoveryURL(isDeveloperKnown: isKnown) else {
                    return .init(own: authority.environment)
                }
                return try await discoveredEnvironments(of: authority, at: url)
            }
        } catch AuthenticationFailure.authority(.metadata) where isKnown, AuthenticationFailure.authority(.response)
            where isKnown
        {
            return .init(own: authority.environment)
        }
    }

    func cachedConfiguration(of authority: Authority) -> OpenIDConfiguration? {
        metadata.cachedConfiguration(
            of: authority, networkEnvironment: cachedEnvironments(of: authority).preferredNetwork)
    }

    /// The issuer of an OpenID provider by its cached discovery document, or `nil` without one. Sends no request.
    func cachedIssuer(at url: URL) -> String? {
        (try? AuthorityRules.openID(url)).flatMap(cachedConfiguration)?.issuer.text
    }

    func cachedEnvironments(of authority: Authority) -> ResolvedAuthority.Environments {
        let cloud = cachedInstances(for: authority)?.cloud(of: authority.environment)
        return .init(cloud, own: authority.environment)
    }

    /// Whether an account belongs to an authority. `places`: the authorities where it has signed in, if they are needed.
    typealias Recognition = (
        _ environment: String, _ homeAccountID: String?, _ places: () throws -> [String]
    ) throws -> Bool

    /// Recognises accounts by the authority's host aliases and, at an OpenID provider, by the issuer. All hosts of
    /// Microsoft Entra ID are one authority. Uses cached documents; sends no request.
    func recognition(of authority: Authority) -> Recognition {
        let environments = cachedEnvironments(of: authority).inCache
        guard !authority.speaksEntra else {
            return { environment, homeAccountID, _ in
                // An account with an issuer's fingerprint signed in with a profile for OpenID providers.
                homeAccountID.flatMap(ResolvedAuthority.fingerprint(in:)) == nil
                    && (environments.contains(environment)
                        || MicrosoftHosts.signIn.isSuperset(of: [environment, authority.environment]))
            }
        }
        let issuers = authority.possibleIssuers
        let fingerprints = Set(issuers.map(ResolvedAuthority.fingerprint(of:)))
        return { environment, homeAccountID, places in
            guard environments.contains(environment) else { return false }
            if let fingerprint = homeAccountID.flatMap(ResolvedAuthority.fingerprint(in:)) {
                return fingerprints.contains(fingerprint)
            }
            // An account of Microsoft Entra ID, or one that another program saved, which has no recorded authority.
            let places = try places()
            return places.isEmpty || places.contains { issuers.contains(IssuerTemplate($0)) }
        }
    }

    private func cachedInstances(for authority: Authority) -> InstanceDiscovery? {
        let url = authority.instanceDiscoveryURL(isDeveloperKnown: knownAuthorities.contains(authority))
        return url.flatMap { metadata.cachedDocument($0, parse: InstanceDiscovery.init(document:)) }
    }

    private func discoveredEnvironments(
        of authority: Authority, at url: URL
    ) async throws -> ResolvedAuthority.Environments {
        do {
            let discovery = try await document(url, isAgeless: true, parse: InstanceDiscovery.init(document:)).value
            return .init(discovery.cloud(of: authority.environment), own: authority.environment)
        } catch let status as MetadataStatus {
            do throws(InstanceDiscovery.Failure) { _ = try InstanceDiscovery(parsing: status.response) } catch {
                guard case .invalidInstance = error else { throw status.failure(of: .instanceDiscovery, at: url) }
                throw AuthenticationFailure.authority(.metadata(authority.url, .unknownInstance))
            }
            throw status.failure(of: .instanceDiscovery, at: url)
        } catch is InstanceDiscovery.Failure {
            throw AuthenticationFailure.authority(.metadata(authority.url, .unknownInstance))
        }
    }

    private func configuration(
        of authority: Authority, _ environments: ResolvedAuthority.Environments
    ) async throws -> MetadataSource.Found<OpenIDConfiguration> {
        if let resource {
            return try await configuration(of: authority, at: placesOfServer(authority)) {
                try check($0, at: $1, for: resource)
            }
        }
        if let server = authority.oauthServer {
            if let endpoints = server.endpoints {
                return .init(value: OpenIDConfiguration(endpoints, at: authority.url), isCached: false)
            }
            return try await configuration(of: authority, at: placesOfServer(authority)) {
                try check($0, at: $1, for: authority)
            }
        }
        let url = authority.metadataURL(networkEnvironment: environments.preferredNetwork)
        return try await configuration(of: authority, at: [url], requiresKeys: true) {
            try check($0, at: $1, for: authority, aliases: Set(environments.all))
        }
    }

    private func check(
        _ configuration: OpenIDConfiguration, at url: URL, for authority: Authority, aliases: Set<String> = []
    ) throws {
        if let expected = configuration.issuerMismatch(for: authority, aliases: aliases) {
            let found = configuration.issuer.text
            throw AuthenticationFailure.authority(.metadata(url, .issuerMismatch(expected: expected, found: found)))
        }
    }

    /// The metadata from the first place that has it (RFC 8414 §3). With `requiresKeys` it must be an OpenID provider's.
    private func configuration(
        of authority: Authority, at places: [URL], requiresKeys: Bool = false,
        check: (OpenIDConfiguration, URL) throws -> Void
    ) async throws -> MetadataSource.Found<OpenIDConfiguration> {
        var missing: AuthenticationFailure?
        for url in places {
            do {
                // Checked during parsing, so that an invalid document isn't cached and a repaired authority works at once.
                return try await document(url) { bytes in
                    let server = try OpenIDConfiguration(parsing: bytes, requiresKeys: requiresKeys)
                    try check(server, url)
                    return server
                }
            } catch let status as MetadataStatus {
                let failure = status.failure(of: .discovery, at: url)
                guard status.response.saysNotHere else { throw failure }
                missing = missing ?? failure
            } catch let malformed as OpenIDConfiguration.Malformed {
                let failure = AuthenticationFailure.authority(.metadata(url, .notDiscovery(malformed)))
                // A site that shows the same page everywhere.
                guard [.notJSONObject, .webPage].contains(malformed) else { throw failure }
                missing = missing ?? failure
            }
        }
        if resource?.isOwnServer == true {
            return .init(value: OpenIDConfiguration(defaultsAt: authority.url), isCached: false)
        }
        throw missing ?? .authority(.metadata(authority.url, .unknownInstance))
    }

    /// The places of the metadata. One with a cached document comes first.
    private func placesOfServer(_ authority: Authority) -> [URL] {
        var places = authority.authorizationServerMetadataURLs
        if let resource, resource.isOwnServer, let origin = URL(string: resource.url.origin),
            let own = try? AuthorityRules.openID(origin), own != authority
        {
            // The metadata of such an issuer can be at the resource alone.
            places += own.authorizationServerMetadataURLs
        }
        let known = ignoresCache ? nil : places.first { metadata.cachedDocument($0) { $0 } != nil }
        return [known].compactMap(\.self) + places.filter { $0 != known }
    }

    private func check(_ server: OpenIDConfiguration, at url: URL, for resource: MSALProtectedResource) throws {
        guard server.issuer.text.withoutRootSlash == resource.issuer.withoutRootSlash else {
            throw AuthenticationFailure.authority(
                .metadata(url, .issuerMismatch(expected: resource.issuer, found: server.issuer.text)))
        }
        // Elsewhere than at the issuer, metadata names only its own servers for codes, secrets and tokens.
        let issuer = URL(string: resource.issuer).flatMap { $0.origin == url.origin ? nil : $0 }
        let stranger = issuer.flatMap { issuer in server.recipients.first { !$0.isControlled(by: issuer) } }
        if let endpoint = stranger ?? server.endpoints.first(where: { !$0.isAllowedEndpoint(of: resource.url) }) {
            throw AuthenticationFailure.authority(.resource(resource.url, .unsafeAddress(endpoint.absoluteString)))
        }
        if server.lacksS256 { throw AuthenticationFailure.authority(.metadata(url, .noS256)) }
    }

    /// Returns the signing keys. If the cached URL has none, uses the URL of the current discovery document. Keys that were
    /// fetched before the user acted may have been replaced since.
    func keys(of authority: inout ResolvedAuthority) async throws -> MetadataSource.Found<JWKSet> {
        if let keys = authority.keys { return .init(value: keys, isCached: true) }
        let address = try keyAddress(of: authority)
        do {
            return try await published(at: address)
        } catch let failure as AuthenticationFailure {
            guard failure.saysEndpointIsGone, let reread = try await reread(authority) else { throw failure }
            authority = reread
            let current = try keyAddress(of: reread)
            guard current != address else { throw failure }
            return try await published(at: current)
        }
    }

    func keyAddress(of authority: ResolvedAuthority) throws -> URL {
        if let address = authority.configuration.jwksURI { return address }
        let problem = AuthorityFailure.MetadataProblem.notDiscovery(.missing(member: "jwks_uri"))
        throw AuthenticationFailure.authority(.metadata(authority.authority.url, problem))
    }

    /// The keys for a token that `keys` don't verify (OpenID Connect Core §10.1.1); `nil` when these are current.
    func rereadKeys(
        _ keys: MetadataSource.Found<JWKSet>, of authority: inout ResolvedAuthority
    ) async throws -> MetadataSource.Found<JWKSet>? {
        let reread = try await reread(authority)
        guard reread != nil || keys.isCached else { return nil }
        if let reread { authority = reread }
        return try await ignoringCache.published(at: keyAddress(of: authority))
    }

    func published(at url: URL) async throws -> MetadataSource.Found<JWKSet> {
        do {
            return try await document(url) { try JWKSet(parsing: $0) }
        } catch let status as MetadataStatus {
            throw status.failure(of: .keys, at: url)
        } catch let malformed as JWKSet.Malformed {
            throw AuthenticationFailure.authority(.metadata(url, .notKeys(malformed)))
        }
    }
}

extension InstanceDiscovery {
    fileprivate init(document: [UInt8]) throws { try self.init(parsing: HTTPResponse(status: 200, body: document)) }
}

extension AuthenticationFailure {
    /// Whether the URL has no endpoint: its host doesn't resolve or its server doesn't know the path.
    fileprivate var saysEndpointIsGone: Bool {
        if case .network(let failure, _) = self { return failure.saysEndpointIsGone }
        return response?.isMissingEndpoint ?? false
    }
}

extension TransportFailure {
    var saysEndpointIsGone: Bool { kind == .couldNotResolveHost }
}

extension HTTPResponse {
    /// RFC 9110 §15.5. No endpoint processed the request, so nothing was redeemed.
    var saysEndpointIsGone: Bool { [404, 405, 410].contains(status) }
}

extension MetadataStatus {
    fileprivate func failure(of endpoint: ResponseFailure.Endpoint, at url: URL) -> AuthenticationFailure {
        let json = try? JSONValue(parsing: response.body)
        let rejection = json.flatMap { OAuthErrorResponse($0, status: response.status) }
        return .authority(
            .response(
                ResponseFailure(
                    endpoint, response, to: HTTPRequest(.get, url),
                    rejection.map(TokenResponseFailure.rejected) ?? .unexplained, at: receivedAt)))
    }
}

extension OpenIDConfiguration.Malformed {
    package var explanation: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notJSONObject: "it is not a JSON object"
        case .webPage: "it is a web page"
        case .missing(let member): "\(member) is missing"
        case .wrongType(let member): "\(member) is not text"
        case .unusableAddress(let member): "\(member) is not a usable URL"
        }
    }
}

extension AuthorityResolver {
    init(
        _ settings: ApplicationSettings, _ metadata: MetadataSource, _ transport: any HTTPTransport,
        _ reporter: FlowReporter
    ) {
        self.init(
            metadata: metadata, transport: transport, reporter: reporter, knownAuthorities: settings.knownAuthorities,
            resource: settings.resource)
    }
}
