import Foundation
import OAuthCore

/// Finds the authorization server and the client for a resource, from its URL (RFC 9728, RFC 8414, RFC 7591).
///
/// 1. Send the resource a request without a token, unless the caller has its challenge.
/// 2. Read the resource's metadata: at the address of the challenge, else at the well-known places. It must be about this
///    URL, or about a path above it that the challenge announced. Without any, the authorization server is the resource's own
///    origin (MCP 2025-03-26), unless the configuration has a client.
/// 3. Choose the authorization server: the configuration's authority, else one where this client is registered, else the
///    first whose metadata can be read.
/// 4. Choose the client: the configuration's ID, else its client ID metadata document, else a registration, which is
///    kept with the tokens. One that the server may have forgotten is checked or made anew (``RegistrationDoubt``).
///
/// Every address is checked before a request (`URL.isAllowedEndpoint(of:)`). No redirect is followed.
struct ResourceDiscovery: Sendable {
    /// The client ID of the configuration; empty for none.
    let clientID: String
    let authority: Authority
    let redirectURI: String?
    let clientDocument: URL?
    let listener: MSALLoopbackListener?
    /// The scopes to register a client for, besides those of the resource.
    var registrationScopes: Scopes = []
    var allowsStrangePages = false
    var dependencies: Dependencies
    /// The transport to the resource, which is recorded as one.
    var toResource: any HTTPTransport
    let reporter: FlowReporter
    /// Whether the configuration names the authority for the server, so that no other one is used.
    var isManaged = false
    /// Whether to register a new client. A request that allows no sign-in can't use one.
    var mayRegister = true

    func cached(_ url: URL, _ challenge: MSALChallenge?) throws -> MSALProtectedResource? {
        guard let resource = try cached(url) else { return nil }
        // The resource has moved to another server (RFC 9728 §5.2).
        if let announced = challenge?.resourceMetadata.first, announced != resource.announced { return nil }
        guard resource.clientSource == .registration else { return resource }
        let entry = try entry(at: resource.issuer)
        let isCurrent = entry?.client.clientID == resource.clientId && entry?.doubt?.isStrong != true
        return try isCurrent || hasTokens(resource) ? resource : nil
    }

    private func cached(_ url: URL) throws -> MSALProtectedResource? {
        if let own = try cached(at: key(of: url)), !isManaged || isConfigured(own.issuer) { return own }
        guard !isManaged else { return nil }
        // A client registered itself before there was a configuration, which doesn't concern this authority.
        let earlier = try cached(at: Self.key(of: url))
        return earlier.flatMap { clientDocument == nil && !isConfigured($0.issuer) ? $0 : nil }
    }

    private func cached(at key: URL?) throws -> MSALProtectedResource? {
        guard let key, var resource = MSALProtectedResource(try documents.load(key)) else { return nil }
        resource.key = key
        if resource.clientSource == .registration { resource.registrationKey = registrationKey(at: resource.issuer) }
        return resource
    }

    /// The resources that were signed in to, ordered by URL. Sends no request.
    func signedIn() throws -> [MSALProtectedResource] {
        try documents.all(of: Self.kind).compactMap { key, document in
            // Includes those that were found without a configuration.
            try MSALProtectedResource(document).flatMap { try cached($0.url) }.flatMap { $0.key == key ? $0 : nil }
        }.filter(hasTokens).sorted { $0.url.absoluteString < $1.url.absoluteString }
    }

    /// Whether the client of a resource has tokens. These are usable even if the registration was replaced.
    private func hasTokens(_ resource: MSALProtectedResource) throws -> Bool {
        let cache = TokenCache(store: dependencies.credentials, clientID: resource.clientId)
        return try AuthenticationFailure.ofStore(try cache.hasTokens())
    }

    /// Steps 1 to 3. The client ID is empty unless the configuration or an earlier registration has it.
    func find(_ url: URL, _ given: MSALChallenge?) async throws -> MSALProtectedResource {
        reporter.started(.findAuthority, "Finding the authority of \(url.origin)")
        do {
            guard url.isResource, url.plainSegments != nil else { throw failure(url, .notResource) }
            let response = given == nil ? try await send(.withoutToken(to: url), by: toResource) : nil
            let challenge = try given ?? response.flatMap { try self.challenge(in: $0, of: url) }
            let (metadata, match, isOwnServer) = try await described(url, challenge, response)
            let issuers = try issuers(among: metadata.authorizationServers, for: url)
            var resource = MSALProtectedResource(
                url: url, identifier: metadata.resource, isParent: match == .parent, issuer: issuers.first,
                scopes: challenge?.scopes ?? [], clientId: "", announced: challenge?.resourceMetadata.first ?? "")
            resource.otherIssuers = issuers.others
            resource.isOwnServer = isOwnServer
            resource.reservedScopes = challenge?.reservedScopes ?? []
            if resource.scopes.isEmpty, resource.reservedScopes.isEmpty {
                (resource.scopes, resource.offersScopes) = (metadata.scopesSupported.withoutReserved.names, true)
            }
            if resource.isParent {
                reporter.noted(
                    .findAuthority, "The token is for all of \(resource.identifier), not only \(url.absoluteString)")
            }
            resource.key = key(of: url)
            _ = try useKnownClient(of: &resource)
            return resource
        } catch { throw failed(error, url) }
    }

    /// Step 4.
    func completed(_ found: MSALProtectedResource) async throws -> MSALProtectedResource {
        var resource = found
        do {
            try checkManaged([resource.issuer], resource.url)
            if try !useKnownClient(of: &resource) {
                try await chooseClient(of: &resource, at: try await server(of: &resource))
            }
            try save(resource)
            return resource
        } catch { throw failed(error, resource.url) }
    }

    private func failed(_ error: any Error, _ url: URL) -> any Error {
        reporter.failed(.findAuthority, "Can't get a token for \(url.absoluteString)")
        return error
    }

    /// Keeps what was found. A sign-in replaces an earlier client with tokens, which stay usable until then.
    func save(_ resource: MSALProtectedResource) throws {
        guard let key = resource.key else { return }
        if let earlier = try cached(resource.url), earlier.clientSource == .registration,
            earlier.clientId != resource.clientId, try hasTokens(earlier)
        {
            return
        }
        try documents.save(resource.json, key)
    }

    func isRejected(_ clientID: String, _ key: URL) throws -> Bool {
        let entry = try registrations.entry(key)
        return entry?.client.clientID == clientID && entry?.doubt == .rejected
    }

    func forgetRegistration(of resource: MSALProtectedResource) throws {
        if let key = resource.registrationKey { try registrations.forget(resource.clientId, key) }
        if let key = resource.key { try documents.save(nil, key) }
    }

    /// The metadata, or what stands in for it where there is none.
    private func described(
        _ url: URL, _ challenge: MSALChallenge?, _ response: HTTPResponse?
    ) async throws -> (ResourceMetadata, ResourceMetadata.Match, isOwnServer: Bool) {
        do {
            let (metadata, match) = try await metadata(
                of: url, challenge, otherwise: response.flatMap { problem(of: $0).map { failure(url, $0) } })
            return (metadata, match, false)
        } catch AuthenticationFailure.authority(.resource(_, .noMetadata)) {
            // Other responses than these don't say that a token is missing.
            let mayBeOwn = !isManaged && response.map { [401, 403, 405].contains($0.status) } ?? true
            let issuer = mayBeOwn ? try await ownIssuer(at: url.origin) : nil
            guard issuer != nil || !clientID.isEmpty else {
                throw failure(url, response?.status == 404 ? .notFound : .noMetadata)
            }
            let source = issuer.map { $0 == url.origin ? "it" : $0 } ?? "the profile's authority"
            reporter.noted(.findAuthority, "\(url.origin) has no resource metadata. Tokens come from \(source)")
            return (ResourceMetadata(undescribed: url, at: [issuer].compactMap(\.self)), .exact, issuer != nil)
        }
    }

    /// The issuer that an origin with metadata, or without a configured client, gets tokens from: itself, or the configuration's
    /// authority if the metadata names that.
    private func ownIssuer(at origin: String) async throws -> String? {
        guard let url = URL(string: origin), let server = try? AuthorityRules.openID(url) else { return nil }
        // Without a client, a program names the host if it has no authority.
        guard !clientID.isEmpty || authority.url.origin != "https://\(url.host() ?? "")" else { return origin }
        for place in server.authorizationServerMetadataURLs {
            let response = try await send(.metadata(at: place), by: dependencies.transport)
            guard response.status == 200,
                let metadata = try? OpenIDConfiguration(parsing: response.body, requiresKeys: false)
            else { continue }
            let named = authority.url.absoluteString
            return metadata.issuer.text.withoutRootSlash == named.withoutRootSlash ? named : origin
        }
        return clientID.isEmpty ? origin : nil
    }

    private func challenge(in response: HTTPResponse, of url: URL) throws -> MSALChallenge? {
        guard [401, 403].contains(response.status) else { return nil }
        let fields = response.headers.all("WWW-Authenticate")
        do {
            // Without a Bearer challenge, the well-known places decide.
            guard try Challenge.parse(fields).contains(where: { $0.isBearer || $0.isDPoP }) else { return nil }
            return try MSALChallenge(headers: fields)
        } catch let malformed as Challenge.Malformed {
            throw failure(url, .challenge(malformed.reason))
        } catch let error as MSALAuthenticationError {
            throw failure(url, .challenge(error.localizedDescription))
        }
    }

    /// `otherwise`: the failure if there is no metadata, by the resource's own response.
    func metadata(
        of url: URL, _ challenge: MSALChallenge?, otherwise: AuthenticationFailure?
    ) async throws -> (ResourceMetadata, ResourceMetadata.Match) {
        var otherwise = otherwise
        let announced = try (challenge?.resourceMetadata ?? []).map { text in
            guard let place = URL(string: text), place.isAllowedEndpoint(of: url) else {
                throw failure(url, .unsafeAddress(text))
            }
            return place
        }
        for place in ResourceMetadata.places(of: url, announced: announced) {
            let response = try await send(.metadata(at: place.url), by: toResource)
            if response.status != 200 {
                guard response.saysNotHere else { throw failure(place.url, .status(response.status)) }
                otherwise = otherwise ?? response.redirection.map { failure(place.url, .redirected($0)) }
                continue
            }
            guard let metadata = try read(response, at: place, of: url) else { continue }
            let match = metadata.match(url)
            guard match != .other else { throw failure(url, .mismatch(metadata.resource)) }
            return (metadata, match)
        }
        throw otherwise ?? failure(url, .noMetadata)
    }

    /// `nil` for another document at a place that the resource didn't announce: some sites show the same page everywhere.
    private func read(
        _ response: HTTPResponse, at place: ResourceMetadata.Place, of url: URL
    ) throws -> ResourceMetadata? {
        do { return try ResourceMetadata(parsing: response.body) } catch {
            guard place.isAnnounced || error != .notJSONObject else { return nil }
            throw failure(url, .metadata(error.reason))
        }
    }

    /// Each takes up to 15 seconds, and hosts of this network could be tried in this way.
    private static let mostOthers = 4

    /// The authorization server to use, and those to try if it is down. A known client has no other.
    private func issuers(among servers: [String], for url: URL) throws -> (first: String, others: [String]) {
        let servers = servers.isEmpty && !clientID.isEmpty ? [authority.url.absoluteString] : servers
        try checkManaged(servers, url)
        let known = try servers.first(where: isConfigured) ?? servers.first { try entry(at: $0) != nil }
        guard let chosen = known ?? servers.first else { throw failure(url, .noServer) }
        guard isServer(chosen, of: url) else { throw failure(url, .unsafeAddress(chosen)) }
        reporter.noted(.findAuthority, "Tokens for \(url.absoluteString) come from \(chosen)")
        let others = servers.dropFirst().prefix(Self.mostOthers).filter { isServer($0, of: url) }
        return (chosen, known == nil ? others : [])
    }

    /// Throws if the configuration names another authority for the server, which alone may get an assertion.
    func checkManaged(_ issuers: [String], _ url: URL) throws {
        guard isManaged, !issuers.contains(where: isConfigured) else { return }
        throw failure(url, .otherAuthority(issuers.joined(separator: ", "), configured: authority.url.absoluteString))
    }

    private func isServer(_ issuer: String, of url: URL) -> Bool {
        guard let address = URL(string: issuer) else { return false }
        return address.isAllowedEndpoint(of: url) && address.query() == nil && address.fragment() == nil
    }

    /// Whether the configuration's client is registered there. All issuers of a host of Microsoft Entra ID are one authority.
    func isConfigured(_ issuer: String) -> Bool {
        guard !clientID.isEmpty, let url = URL(string: issuer) else { return false }
        return authority.speaksEntra
            ? authority.url.origin == url.origin
            : authority.url.absoluteString.withoutRootSlash == issuer.withoutRootSlash
    }

    /// Why a resource without metadata can't be used, by its response.
    private func problem(of response: HTTPResponse) -> AuthorityFailure.ResourceProblem? {
        response.redirection.map { .redirected($0) } ?? ((200..<300).contains(response.status) ? .needsNoToken : nil)
    }

    func send(_ request: HTTPRequest, by transport: any HTTPTransport) async throws -> HTTPResponse {
        do { return try await transport.send(request) } catch {
            throw error.kind == .cancelled
                ? AuthenticationFailure.user(.canceled) : failure(request.url, .unreachable(error))
        }
    }

    func failure(_ url: URL, _ problem: AuthorityFailure.ResourceProblem) -> AuthenticationFailure {
        .authority(.resource(url, problem))
    }
}
