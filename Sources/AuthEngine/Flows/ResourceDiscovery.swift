import Foundation
import KeyturnCrypto
import OAuthCore

/// Finds the authorization server and the client for a resource, from its URL (RFC 9728, RFC 8414, RFC 7591).
///
/// 1. Send the resource a request without a token, unless the caller has its challenge.
/// 2. Read the resource's metadata: at the address of the challenge, else at the well-known places. It must be about this
///    URL, or about a path above it that the challenge announced.
/// 3. Choose the authorization server: the configuration's authority, else one where this client is registered, else the
///    first.
/// 4. Choose the client: the configuration's ID, else its client ID metadata document, else a registration, which is
///    kept with the tokens.
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
    func kept(_ url: URL, _ challenge: MSALChallenge?) throws -> MSALProtectedResource? {
        guard let resource = MSALProtectedResource(try document(key(of: url))) else { return nil }
        // The resource has moved to another server (RFC 9728 §5.2).
        if let announced = challenge?.resourceMetadata.first, announced != resource.announced { return nil }
        guard resource.clientSource != .registration || registration(at: resource.issuer)?.clientID == resource.clientId
        else { return nil }
        return resource
    }

    func find(_ url: URL, _ given: MSALChallenge?) async throws -> MSALProtectedResource {
        reporter.started(.findAuthority, "Finding the authority of \(url.origin)")
        do {
            guard url.isResource else { throw failure(url, .notResource) }
            let response =
                given == nil
                ? try await answer(HTTPRequest(.get, url, headers: ["Accept": "*/*"]), by: toResource) : nil
            let challenge = try given ?? response.flatMap { try self.challenge(in: $0, of: url) }
            let (metadata, match) = try await metadata(
                of: url, challenge, redirected: response?.redirection.map { failure(url, .redirected($0)) })
            let issuer = try issuer(among: metadata.authorizationServers, for: url)
            var resource = MSALProtectedResource(
                url: url, identifier: metadata.resource, isParent: match == .parent, issuer: issuer,
                scopes: challenge?.scopes ?? [], clientId: clientID,
                announced: challenge?.resourceMetadata.first ?? "")
            resource.reservedScopes = challenge?.reservedScopes ?? []
            if resource.scopes.isEmpty, resource.reservedScopes.isEmpty {
                resource.offer(metadata.scopesSupported.withoutReserved.names)
            }
            if resource.isParent {
                reporter.noted(
                    .findAuthority, "The token is for all of \(resource.identifier), not only \(url.absoluteString)")
            }
            try await chooseClient(of: &resource)
            try save(resource.json, key(of: url))
            return resource
        } catch {
            reporter.failed(.findAuthority, "Can't get a token for \(url.absoluteString)")
            throw error
        }
    }

    /// Forgets the registration at an issuer, because the server deleted it or its redirect URI can't be used.
    func forgetRegistration(at issuer: String) throws {
        try save(nil, key(ofClientAt: issuer))
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
            let response = try await answer(
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
            servers.first(where: isConfigured) ?? servers.first { registration(at: $0) != nil } ?? servers.first
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

    private func answer(
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
    private func chooseClient(of resource: inout MSALProtectedResource) async throws {
        if isConfigured(resource.issuer) {
            resource.usesConfiguredAuthority = authority.speaksEntra
            return
        }
        if clientDocument == nil, let known = registration(at: resource.issuer) {
            return resource.use(known)
        }
        guard let issuer = URL(string: resource.issuer).flatMap({ try? AuthorityRules.openID($0) }) else {
            throw failure(resource.url, .unsafeAddress(resource.issuer))
        }
        let resolver = AuthorityResolver(
            metadata: MetadataSource(dependencies: dependencies), transport: dependencies.transport, reporter: reporter,
            // Cached OpenID metadata may lack the registration that the server's own metadata has.
            asksAnew: true, resource: resource)
        let server = try await configuration(of: issuer, by: resolver, for: resource.url)
        if let clientDocument, server.readsClientDocuments {
            resource.clientId = clientDocument.absoluteString
            resource.clientSource = .document
        } else if let known = registration(at: resource.issuer) {
            resource.use(known)
        } else if let endpoint = server.registrationEndpoint {
            guard mayRegister else {
                throw AuthenticationFailure.user(
                    .interactionRequired(.notRegistered(resource.url, issuer: resource.issuer)))
            }
            resource.use(try await register(at: endpoint, of: resource.issuer))
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

    private func register(at endpoint: URL, of issuer: String) async throws -> ClientRegistration {
        reporter.noted(.findAuthority, "Registering this client at \(endpoint.origin)")
        // A fixed port, because some servers compare redirect URIs whole.
        let port = 20000 + dependencies.random.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 10000
        let redirectURI =
            redirectURI.flatMap { URL(string: $0)?.port == nil ? nil : $0 }
            ?? "http://127.0.0.1:\(port)/callback"
        let response = try await answer(
            ClientRegistration.request(endpoint, name: "Keyturn", redirectURI: redirectURI),
            by: dependencies.transport)
        do throws(ClientRegistration.Malformed) {
            let client = try ClientRegistration(parsing: response, redirectURI: redirectURI)
            try? save(
                [
                    "client_id": .string(client.clientID), "redirect_uri": .string(redirectURI),
                    "id_tokens": .bool(client.getsIDTokens),
                ],
                key(ofClientAt: issuer))
            return client
        } catch {
            // A text that comes with a server error is an accident.
            if response.status >= 500 || response.isTooEarly { throw failure(endpoint, .status(response.status)) }
            throw failure(endpoint, .registration(Redaction(hiding: response.secrets).shown(error.reason)))
        }
    }

    private func registration(at issuer: String) -> ClientRegistration? {
        guard let json = try? document(key(ofClientAt: issuer)), let clientID = json["client_id"]?.string,
            let redirectURI = json["redirect_uri"]?.string
        else { return nil }
        return ClientRegistration(
            clientID: clientID, redirectURI: redirectURI, getsIDTokens: json["id_tokens"] == true)
    }

    /// The key of a document. Not a URL that anything could fetch.
    private func key(_ kind: String, _ text: String) -> URL? {
        URL(string: "urn:keyturn:\(kind):\(SHA2.sha256(Array(text.utf8)).hexadecimal)")
    }

    private func key(ofClientAt issuer: String) -> URL? { key("client", issuer) }

    /// Each configured client has its own way to a resource.
    private func key(of url: URL) -> URL? {
        key("resource", [url.absoluteString, clientID, clientDocument?.absoluteString ?? ""].joined(separator: "\n"))
    }

    private func document(_ key: URL?) throws -> JSONValue? {
        guard let key else { return nil }
        do throws(CredentialStoreFailure) {
            return try dependencies.documents.load(key).flatMap { try? JSONValue(parsing: $0.body) }
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }

    private func save(_ json: JSONValue?, _ key: URL?) throws {
        guard let key else { return }
        let document = json.map {
            CachedDocument(body: Array($0.serialized.utf8), fetchedAt: dependencies.time.now())
        }
        do throws(CredentialStoreFailure) {
            try dependencies.documents.save(document, for: key)
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }
}

extension MSALProtectedResource {
    fileprivate mutating func offer(_ scopes: [String]) {
        self.scopes = scopes
        offersScopes = true
    }

    fileprivate mutating func use(_ client: ClientRegistration) {
        clientId = client.clientID
        redirectUri = client.redirectURI
        getsIDTokens = client.getsIDTokens
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
