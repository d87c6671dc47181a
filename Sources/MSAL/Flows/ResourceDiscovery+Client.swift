import Foundation
import KeyturnCrypto
import OAuthCore

extension ResourceDiscovery {
    /// Whether there is a client that needs no request.
    func useKnownClient(of resource: inout MSALProtectedResource) throws -> Bool {
        (resource.clientId, resource.clientSource, resource.getsIDTokens) = ("", .configuration, true)
        (resource.redirectUri, resource.clientSecret, resource.registrationKey) = (nil, nil, nil)
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

    /// The metadata of the resource's authorization server, or of the next one that isn't down.
    func server(of resource: inout MSALProtectedResource) async throws -> OpenIDConfiguration {
        while true {
            guard let issuer = URL(string: resource.issuer).flatMap({ try? AuthorityRules.openID($0) }) else {
                throw failure(resource.url, .unsafeAddress(resource.issuer))
            }
            let resolver = AuthorityResolver(
                metadata: MetadataSource(dependencies: dependencies), transport: dependencies.transport,
                reporter: reporter,
                // Cached OpenID metadata may lack the registration that the server's own metadata has.
                ignoresCache: true, resource: resource)
            do {
                return try await configuration(of: issuer, by: resolver, for: resource.url)
            } catch let failure as AuthenticationFailure where failure.kind == .unavailable {
                guard !resource.otherIssuers.isEmpty else { throw failure }
                let next = resource.otherIssuers.removeFirst()
                reporter.noted(.findAuthority, "\(resource.issuer) is unavailable: trying \(next)")
                resource.issuer = next
            }
        }
    }

    func chooseClient(of resource: inout MSALProtectedResource, at server: OpenIDConfiguration) async throws {
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
                throw AuthenticationFailure.needsSignIn(.notRegistered(resource.url, issuer: resource.issuer))
            }
            // A sign-in would end there, and leave the registration.
            if !allowsStrangePages, let mixUp = server.mixUp(at: .page) {
                throw failure(resource.url, .strangePage(mixUp))
            }
            let scopes = Scopes(resource.scopes).union(registrationScopes).union(server.listedReservedScopes)
            let getsDeviceCodes = server.deviceAuthorizationEndpoint != nil
            do {
                let entry = try await dependencies.finishing {
                    try await register(
                        at: endpoint, key, scopes, getsDeviceCodes: getsDeviceCodes, server.authenticationMethods)
                }
                resource.use(entry, key)
            } catch let error as AuthenticationFailure where server.isGuessed && error.saysNoRegistration {
                // Nothing has said that there is such an endpoint.
                throw failure(resource.url, .noMetadata)
            }
        } else {
            throw failure(
                resource.url,
                .noRegistration(
                    issuer: resource.issuer, readsDocuments: server.readsClientDocuments, hasClient: !clientID.isEmpty))
        }
    }

    private func configuration(
        of issuer: Authority, by resolver: AuthorityResolver, for url: URL
    ) async throws -> OpenIDConfiguration {
        do {
            return try await resolver.resolve(issuer).configuration
        } catch AuthenticationFailure.authority(.metadata(_, .issuerMismatch(let expected, let found))) {
            throw failure(
                url, .otherIssuer(expected: expected, found: found, isOwn: resolver.resource?.isOwnServer == true))
        }
    }

    private func isUsable(_ known: ClientRegistrations.Entry, at server: OpenIDConfiguration) async throws -> Bool {
        if known.doubt?.isStrong == true { return false }
        // Only a sign-in is worth a request.
        guard known.doubt != nil, mayRegister else { return true }
        return try await recognizes(known.client, server)
    }

    /// Whether the server knows a client, by its response to a code that it never issued: it rejects an unknown client
    /// before the code (RFC 6749 §5.2).
    private func recognizes(_ client: ClientRegistration, _ server: OpenIDConfiguration) async throws -> Bool {
        reporter.noted(.findAuthority, "Asking \(server.tokenEndpoint.origin) whether it still knows this client")
        let secrets = OneTimeSecrets(random: dependencies.random)
        var message = TokenRequest(
            endpoint: server.tokenEndpoint, clientID: client.clientID,
            grant: .authorizationCode(
                Secret(secrets.state), redirectURI: client.redirectURI, verifier: secrets.verifier), scopes: [])
        message.clientSecret = client.secret
        let request = message.httpRequest
        let response = try await send(request, by: dependencies.transport)
        do throws(TokenResponseFailure) {
            _ = try TokenResponse(parsing: response)
            return true
        } catch {
            let failure = ResponseFailure(.codeRedemption, response, to: request, error, at: dependencies.time.now())
            guard let doubt = failure.registrationDoubt else { return true }
            // Servers that reject an unknown client with a page do it here too.
            return failure.rejection != nil && doubt != .rejected
        }
    }

    /// After everything here that can fail, and in ``OneTimeWork``: a registration whose response is lost stays at the server.
    private func register(
        at endpoint: URL, _ key: URL, _ scopes: Scopes, getsDeviceCodes: Bool, _ methods: [String]
    ) async throws -> ClientRegistrations.Entry {
        try registrations.makeRoom(key)
        reporter.noted(.findAuthority, "Registering this client at \(endpoint.origin)")
        let earlier = try registrations.entry(key)
        let client = try await registered(at: endpoint, scopes, getsDeviceCodes: getsDeviceCodes, methods)
        // Another sign-in may use the one that it made meanwhile.
        if let other = try registrations.entry(key), other != earlier, other.doubt == nil { return other }
        let entry = ClientRegistrations.Entry(client: client)
        try registrations.save(entry, key)
        return entry
    }

    /// Sends the registration, and what a server rejects of it in another form: what it rejected, it hasn't registered.
    private func registered(
        at endpoint: URL, _ scopes: Scopes, getsDeviceCodes: Bool, _ methods: [String]
    ) async throws -> ClientRegistration {
        var scopes = scopes
        var redirectURI = fixedRedirectURI ?? freeRedirectURI
        while true {
            let request = ClientRegistration.request(
                endpoint, name: "Keyturn", redirectURI: redirectURI, scopes: scopes, getsDeviceCodes: getsDeviceCodes)
            let response = try await send(request, by: dependencies.transport)
            do throws(ClientRegistration.Malformed) {
                return try ClientRegistration(parsing: response, redirectURI: redirectURI, methods: methods)
            } catch {
                if error.isAbout("redirect"), fixedRedirectURI == nil, redirectURI.contains(Self.loopbackAddress) {
                    // RFC 8252 §8.3 advises against the name, but some servers accept nothing else.
                    redirectURI.replace(Self.loopbackAddress, with: "localhost")
                } else if error.isAbout("scope"), !scopes.isEmpty {
                    scopes = []
                } else {
                    throw failure(error, response, to: request)
                }
            }
        }
    }

    /// The redirect URI that the configuration prescribes whole.
    private var fixedRedirectURI: String? { redirectURI.flatMap { URL(string: $0)?.port == nil ? nil : $0 } }

    /// The port that the configuration prescribes for the listener, which is then registered.
    private var fixedPort: UInt16? { listener?.ports.flatMap { $0.count == 1 ? $0.lowerBound : nil } }

    private func failure(
        _ malformed: ClientRegistration.Malformed, _ response: HTTPResponse, to request: HTTPRequest
    ) -> AuthenticationFailure {
        let rejection: OAuthErrorResponse? = if case .rejected(let error) = malformed { error } else { nil }
        let failure = ResponseFailure(
            .registration, response, to: request, rejection.map(TokenResponseFailure.rejected) ?? .unexplained,
            at: dependencies.time.now())
        guard failure.kind != .unavailable else { return .authority(.response(failure)) }
        if let target = failure.redirectOrigin {
            return self.failure(request.url, .registration("it redirects to \(target), which isn't followed"))
        }
        return self.failure(request.url, .registration(Privacy(hiding: response.secrets).shown(malformed.reason)))
    }

    private static let loopbackAddress = "127.0.0.1"

    /// A redirect URI with a fixed port, because some servers compare redirect URIs whole. Its path is this registration's own,
    /// so that no other authority accepts it (RFC 9700 §4.4.2.2).
    private var freeRedirectURI: String {
        let port =
            fixedPort.map(Int.init) ?? 20000 + dependencies.random.bytes(2).reduce(0) { $0 * 256 + Int($1) } % 10000
        return "http://\(Self.loopbackAddress):\(port)/callback/\(Base64URL.encode(dependencies.random.bytes(9)))"
    }

    var documents: OwnDocuments { OwnDocuments(dependencies) }

    var registrations: ClientRegistrations { ClientRegistrations(documents: documents) }

    func entry(at issuer: String) throws -> ClientRegistrations.Entry? {
        try registrationKey(at: issuer).flatMap { try registrations.entry($0) }
    }

    func registrationKey(at issuer: String) -> URL? {
        OwnDocuments.key("client", [issuer, fixedRedirectURI ?? fixedPort.map(String.init)].compactMap(\.self))
    }

    static let kind = "resource"

    /// Each configured client has its own way to a resource.
    func key(of url: URL) -> URL? { Self.key(of: url, clientID, clientDocument?.absoluteString ?? "") }

    /// Without arguments, the key of a resource that was found without a configured client.
    static func key(of url: URL, _ clientID: String = "", _ document: String = "") -> URL? {
        OwnDocuments.key(kind, [url.absoluteString, clientID, document])
    }
}

extension MSALProtectedResource {
    mutating func use(_ entry: ClientRegistrations.Entry, _ key: URL?) {
        let client = entry.client
        (clientId, clientSource, getsIDTokens) = (client.clientID, .registration, client.getsIDTokens)
        (redirectUri, clientSecret, registrationKey) = (client.redirectURI, client.secret, key)
    }
}

extension AuthenticationFailure {
    /// Whether a server that nothing describes takes no registrations.
    fileprivate var saysNoRegistration: Bool {
        if case .authority(.resource(_, .registration)) = self { return true }
        return response?.status.map { HTTPResponse(status: $0).saysNotHere } ?? false
    }
}

extension HTTPResponse {
    /// Whether no document is at the address. Gateways answer unknown paths with any of these, except where the same request may
    /// succeed later.
    var saysNotHere: Bool { ((300..<500).contains(status) || status == 502) && ![408, 425, 429].contains(status) }

    var redirection: String? { (300..<400).contains(status) ? headers["Location"] ?? "an unnamed URL" : nil }
}
