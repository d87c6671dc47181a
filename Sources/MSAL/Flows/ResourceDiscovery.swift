import Foundation
import OAuthCore

/// Finds the authorization server and the client for a resource, from its URL (RFC 9728, RFC 8414, RFC 7591).
///
/// 1. Send the resource a request without a token, unless the caller has its challenge.
/// 2. Read the resource's metadata: at the address of the challenge, else at the well-known places. It must be about this
///    URL, or about a path above it that the challenge announced.
/// 3. Choose the authorization server: the configuration's authority, else one where this client is registered, else the
///    first.
/// 4. Choose the client: the configuration's ID, else its client ID metadata document, else a registration, which is
///    kept with the tokens. One that the server may have forgotten is checked or made anew (``RegistrationDoubt``).
///
/// Every address is checked before a request (`URL.isAllowedEndpoint(of:)`). No redirect is
/// followed.
struct ResourceDiscovery: Sendable {
    /// The client ID of the configuration; empty for none.
    let clientID: String
    let authority: Authority
    let redirectURI: String?
    let clientDocument: URL?
    let dependencies: Dependencies
    /// The transport to the resource, which is recorded as one.
    let toResource: any HTTPTransport
    let reporter: FlowReporter
    /// Whether to register a new client. A request that allows no sign-in can't use one.
    var mayRegister = true

    /// The resource as found earlier. Sends no request.
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
        guard let key = key(of: url), var resource = MSALProtectedResource(try documents.load(key)) else { return nil }
        resource.key = key
        if resource.clientSource == .registration { resource.registrationKey = registrationKey(at: resource.issuer) }
        return resource
    }

    /// Whether the client of a resource has tokens. These are usable even if the registration was replaced.
    private func hasTokens(_ resource: MSALProtectedResource) throws -> Bool {
        do throws(CredentialStoreFailure) {
            return try TokenCache(store: dependencies.credentials, clientID: resource.clientId).hasTokens()
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }

    /// Steps 1 to 3. The client ID is empty unless the configuration or an earlier registration has it.
    func find(_ url: URL, _ given: MSALChallenge?) async throws -> MSALProtectedResource {
        reporter.started(.findAuthority, "Finding the authority of \(url.origin)")
        do {
            guard url.isResource else { throw failure(url, .notResource) }
            var probe = HTTPRequest(.get, url, headers: ["Accept": "*/*"])
            probe.needsOnlyHeaders = true
            let response = given == nil ? try await send(probe, by: toResource) : nil
            let challenge = try given ?? response.flatMap { try self.challenge(in: $0, of: url) }
            let (metadata, match) = try await metadata(
                of: url, challenge, redirected: response?.redirection.map { failure(url, .redirected($0)) })
            let issuer = try issuer(among: metadata.authorizationServers, for: url)
            var resource = MSALProtectedResource(
                url: url, identifier: metadata.resource, isParent: match == .parent, issuer: issuer,
                scopes: challenge?.scopes ?? [], clientId: "",
                announced: challenge?.resourceMetadata.first ?? "")
            resource.reservedScopes = challenge?.reservedScopes ?? []
            if resource.scopes.isEmpty, resource.reservedScopes.isEmpty {
                resource.offer(metadata.scopesSupported.withoutReserved.names)
            }
            if resource.isParent {
                reporter.noted(
                    .findAuthority, "The token is for all of \(resource.identifier), not only \(url.absoluteString)")
            }
            resource.key = key(of: url)
            _ = try useKnownClient(of: &resource)
            return resource
        } catch {
            throw failed(error, url)
        }
    }

    /// Step 4.
    func completed(_ found: MSALProtectedResource) async throws -> MSALProtectedResource {
        var resource = found
        do {
            if try !useKnownClient(of: &resource) { try await chooseClient(of: &resource) }
            try save(resource)
            return resource
        } catch {
            throw failed(error, resource.url)
        }
    }

    private func failed(_ error: any Error, _ url: URL) -> any Error {
        reporter.failed(.findAuthority, "Can't get a token for \(url.absoluteString)")
        return error
    }

    /// Keeps what was found. A sign-in replaces an earlier client with tokens, which stay usable until then.
    private func save(_ resource: MSALProtectedResource) throws {
        guard let key = resource.key else { return }
        if let earlier = try cached(resource.url), earlier.clientSource == .registration,
            earlier.clientId != resource.clientId, try hasTokens(earlier)
        {
            return
        }
        try documents.save(resource.json, key)
    }

    /// Whether the server has rejected a client since its last sign-in.
    func isRejected(_ clientID: String, _ key: URL) throws -> Bool {
        let entry = try registrations.entry(key)
        return entry?.client.clientID == clientID && entry?.doubt == .rejected
    }

    /// Forgets a resource and the registration of its client.
    func forgetRegistration(of resource: MSALProtectedResource) throws {
        if let key = resource.registrationKey { try registrations.forget(resource.clientId, key) }
        if let key = resource.key { try documents.save(nil, key) }
    }
}

/// The resource's challenge and metadata.
extension ResourceDiscovery {
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

    /// - Parameter redirected: The failure to report if there is no metadata, because the resource redirected the request.
    private func metadata(
        of url: URL, _ challenge: MSALChallenge?, redirected: AuthenticationFailure?
    ) async throws -> (ResourceMetadata, ResourceMetadata.Match) {
        var redirected = redirected
        let announced = try (challenge?.resourceMetadata ?? []).map { text in
            guard let place = URL(string: text), place.isAllowedEndpoint(of: url) else {
                throw failure(url, .unsafeAddress(text))
            }
            return place
        }
        for place in ResourceMetadata.places(of: url, announced: announced) {
            let response = try await send(
                HTTPRequest(.get, place.url, headers: ["Accept": "application/json"]), by: toResource)
            if response.status != 200 {
                guard response.saysNotHere else { throw failure(place.url, .status(response.status)) }
                redirected = redirected ?? response.redirection.map { failure(place.url, .redirected($0)) }
                continue
            }
            guard let metadata = try read(response, at: place, of: url) else { continue }
            let match = metadata.match(url)
            guard match == .exact || (match == .parent && place.isAnnounced) else {
                throw failure(url, .mismatch(metadata.resource))
            }
            return (metadata, match)
        }
        throw redirected ?? failure(url, .noMetadata)
    }

    /// The metadata; `nil` for another document at a place that the resource didn't announce, as of a site that shows the same
    /// page everywhere.
    private func read(
        _ response: HTTPResponse, at place: ResourceMetadata.Place, of url: URL
    ) throws -> ResourceMetadata? {
        do throws(ResourceMetadata.Malformed) {
            return try ResourceMetadata(parsing: response.body)
        } catch {
            guard place.isAnnounced || error != .notJSONObject else { return nil }
            throw failure(url, .metadata(error.reason))
        }
    }

    /// The authorization server to use.
    private func issuer(among servers: [String], for url: URL) throws -> String {
        let servers = servers.isEmpty && !clientID.isEmpty ? [authority.url.absoluteString] : servers
        let chosen =
            try servers.first(where: isConfigured) ?? servers.first { try entry(at: $0) != nil } ?? servers.first
        guard let chosen else { throw failure(url, .noServer) }
        guard let address = URL(string: chosen), address.isAllowedEndpoint(of: url), address.query() == nil,
            address.fragment() == nil
        else { throw failure(url, .unsafeAddress(chosen)) }
        reporter.noted(.findAuthority, "Tokens for \(url.absoluteString) come from \(chosen)")
        return chosen
    }

    /// Whether the configuration's client is registered at an issuer. All issuers of a host of Microsoft Entra ID belong
    /// to one authority.
    private func isConfigured(_ issuer: String) -> Bool {
        guard !clientID.isEmpty, let url = URL(string: issuer) else { return false }
        return authority.speaksEntra
            ? authority.url.origin == url.origin
            : authority.url.absoluteString.withoutRootSlash == issuer.withoutRootSlash
    }

    private func send(
        _ request: HTTPRequest, by transport: any HTTPTransport
    ) async throws -> HTTPResponse {
        do throws(TransportFailure) {
            return try await transport.send(request)
        } catch {
            throw error.kind == .cancelled
                ? AuthenticationFailure.user(.canceled) : failure(request.url, .unreachable(error))
        }
    }

    private func failure(_ url: URL, _ problem: AuthorityFailure.ResourceProblem) -> AuthenticationFailure {
        .authority(.resource(url, problem))
    }
}

/// The client.
extension ResourceDiscovery {
    /// Uses the client that needs no request, if there is one.
    private func useKnownClient(of resource: inout MSALProtectedResource) throws -> Bool {
        resource.dropClient()
        if isConfigured(resource.issuer) {
            resource.clientId = clientID
            resource.usesConfiguredAuthority = authority.speaksEntra
            return true
        }
        guard clientDocument == nil, let known = try entry(at: resource.issuer), known.doubt == nil else {
            return false
        }
        resource.use(known, registrationKey(at: resource.issuer))
        return true
    }

    private func chooseClient(of resource: inout MSALProtectedResource) async throws {
        guard let issuer = URL(string: resource.issuer).flatMap({ try? AuthorityRules.openID($0) }) else {
            throw failure(resource.url, .unsafeAddress(resource.issuer))
        }
        let resolver = AuthorityResolver(
            metadata: MetadataSource(dependencies: dependencies), transport: dependencies.transport, reporter: reporter,
            // Cached OpenID metadata may lack the registration that the server's own metadata has.
            ignoresCache: true, resource: resource)
        let server = try await configuration(of: issuer, by: resolver, for: resource.url)
        if let clientDocument, server.readsClientDocuments {
            resource.clientId = clientDocument.absoluteString
            resource.clientSource = .document
            return
        }
        guard let key = registrationKey(at: resource.issuer) else {
            throw failure(resource.url, .unsafeAddress(resource.issuer))
        }
        if let known = try registrations.entry(key), try await isUsable(known, at: server) {
            resource.use(known, key)
        } else if let endpoint = server.registrationEndpoint {
            guard mayRegister else {
                throw AuthenticationFailure.user(
                    .interactionRequired(.notRegistered(resource.url, issuer: resource.issuer)))
            }
            let entry = try await dependencies.finishing { try await register(at: endpoint, key) }
            resource.use(entry, key)
        } else {
            throw failure(resource.url, .noRegistration(issuer: resource.issuer))
        }
    }

    private func configuration(
        of issuer: Authority, by resolver: AuthorityResolver, for url: URL
    ) async throws -> OpenIDConfiguration {
        do {
            return try await resolver.resolve(issuer).configuration
        } catch AuthenticationFailure.authority(.metadata(_, .issuerMismatch(let expected, let found))) {
            throw failure(url, .otherIssuer(expected: expected, found: found))
        }
    }

    /// Whether a sign-in can use a registration.
    private func isUsable(_ known: ClientRegistrations.Entry, at server: OpenIDConfiguration) async throws -> Bool {
        guard let doubt = known.doubt else { return true }
        guard !doubt.isStrong else { return false }
        // Only a sign-in is worth a request.
        guard mayRegister else { return true }
        return try await recognizes(known.client, server)
    }

    /// Whether the server knows a client, by its response to a code that it never issued: it rejects an unknown client
    /// before the code (RFC 6749 §5.2).
    private func recognizes(_ client: ClientRegistration, _ server: OpenIDConfiguration) async throws -> Bool {
        reporter.noted(.findAuthority, "Asking \(server.tokenEndpoint.origin) whether it still knows this client")
        let secrets = OneTimeSecrets(random: dependencies.random)
        let request = TokenRequest(
            endpoint: server.tokenEndpoint, clientID: client.clientID,
            grant: .authorizationCode(
                Secret(secrets.state), redirectURI: client.redirectURI, verifier: secrets.verifier), scopes: []
        ).httpRequest
        let response = try await send(request, by: dependencies.transport)
        do throws(TokenResponseFailure) {
            _ = try TokenResponse(parsing: response)
            return true
        } catch {
            let failure = ResponseFailure(.codeRedemption, response, to: request, error, at: dependencies.time.now())
            return failure.registrationDoubt != .rejected
        }
    }

    /// Registers this client, after everything here that can fail. Part of ``OneTimeWork``, because a registration whose
    /// response is lost stays at the server.
    private func register(at endpoint: URL, _ key: URL) async throws -> ClientRegistrations.Entry {
        try registrations.makeRoom(key)
        reporter.noted(.findAuthority, "Registering this client at \(endpoint.origin)")
        let earlier = try registrations.entry(key)
        let redirectURI = fixedRedirectURI ?? freeRedirectURI
        let response = try await send(
            ClientRegistration.request(endpoint, name: "Keyturn", redirectURI: redirectURI),
            by: dependencies.transport)
        let client: ClientRegistration
        do throws(ClientRegistration.Malformed) {
            client = try ClientRegistration(parsing: response, redirectURI: redirectURI)
        } catch {
            // A text that comes with a server error is an accident.
            if response.status >= 500 || response.isTooEarly { throw failure(endpoint, .status(response.status)) }
            throw failure(endpoint, .registration(Privacy(hiding: response.secrets).shown(error.reason)))
        }
        // Another sign-in may use the one that it made meanwhile.
        if let other = try registrations.entry(key), other != earlier, other.doubt == nil { return other }
        let entry = ClientRegistrations.Entry(client: client)
        try registrations.save(entry, key)
        return entry
    }

    /// The redirect URI that the configuration prescribes whole.
    private var fixedRedirectURI: String? { redirectURI.flatMap { URL(string: $0)?.port == nil ? nil : $0 } }

    /// A redirect URI with a fixed port, because some servers compare redirect URIs whole.
    private var freeRedirectURI: String {
        let port = 20000 + dependencies.random.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 10000
        return "http://127.0.0.1:\(port)/callback"
    }

    private var documents: OwnDocuments { OwnDocuments(dependencies) }

    private var registrations: ClientRegistrations { ClientRegistrations(documents: documents) }

    private func entry(at issuer: String) throws -> ClientRegistrations.Entry? {
        try registrationKey(at: issuer).flatMap { try registrations.entry($0) }
    }

    private func registrationKey(at issuer: String) -> URL? {
        OwnDocuments.key("client", [issuer, fixedRedirectURI].compactMap(\.self))
    }

    /// Each configured client has its own way to a resource.
    private func key(of url: URL) -> URL? {
        OwnDocuments.key("resource", [url.absoluteString, clientID, clientDocument?.absoluteString ?? ""])
    }
}

extension MSALProtectedResource {
    fileprivate mutating func offer(_ scopes: [String]) {
        self.scopes = scopes
        offersScopes = true
    }

    fileprivate mutating func dropClient() {
        clientId = ""
        clientSource = .configuration
        redirectUri = nil
        getsIDTokens = true
        registrationKey = nil
    }

    fileprivate mutating func use(_ entry: ClientRegistrations.Entry, _ key: URL?) {
        registrationKey = key
        clientId = entry.client.clientID
        redirectUri = entry.client.redirectURI
        getsIDTokens = entry.client.getsIDTokens
        clientSource = .registration
    }
}

extension HTTPResponse {
    /// Whether no document is at the address. Gateways answer unknown paths with any of these.
    var saysNotHere: Bool { ((300..<500).contains(status) || status == 502) && !isTooEarly }

    /// Whether the same request may succeed later.
    fileprivate var isTooEarly: Bool { [408, 425, 429].contains(status) }

    /// The address that a redirect leads to; `nil` for another response.
    fileprivate var redirection: String? {
        (300..<400).contains(status) ? headers["Location"] ?? "an unnamed URL" : nil
    }
}
