import Foundation
import KeyturnCrypto
import OAuthCore

/// A server to which the organisation of the user grants access (``MSALManagedServer``).
package struct ManagedServer: Sendable {
    let resource: MSALProtectedResource
    let authority: Authority
    let clientSecret: MSALClientSecret?
    /// The key of its tokens in the cache, where they are kept with the account at the organisation's authority.
    let realm: String

    init?(_ configuration: MSALPublicClientApplicationConfig) throws {
        guard let resource = configuration.resource, let server = configuration.managedServer(for: resource.url) else {
            return nil
        }
        self.resource = resource
        authority = try server.openIDAuthority
        clientSecret = server.clientSecret
        let name = "\(resource.issuer) \(resource.clientId) \(resource.identifier)"
        realm = TokenGrant.AccessToken.otherRealm + SHA2.sha256(Array(name.utf8)).hexadecimal
    }
}

extension MSALPublicClientApplicationConfig {
    /// How the organisation grants access to a server; `nil` for one that it doesn't manage. Not in MSAL for iOS and macOS.
    public func managedServer(for url: URL) -> MSALManagedServer? {
        managedServers.first { $0.key.origin == url.origin }?.value
    }
}

extension MSALManagedServer {
    var openIDAuthority: Authority { get throws { try MSALOIDCAuthority(url: authority).value } }
}

/// Tokens of a managed server: the organisation's authority issues an assertion of who its user is, and the server's authority a
/// token for it (draft-ietf-oauth-identity-assertion-authz-grant; enterprise-managed authorization of MCP).
///
/// 1. Find the authority that the configuration names for the server and its metadata confirms, and read the client's secret there.
/// 2. Exchange the ID token at the organisation's authority (RFC 8693). The assertion is for that issuer, this resource and its scopes.
/// 3. Send the assertion to that issuer's token endpoint only, and only if it is for that issuer (RFC 7523).
///
/// The server's refresh token isn't kept: the organisation decides again each time.
extension FlowContext {
    /// The context of this client at the server's authority; `nil` without a managed server.
    private var atServer: FlowContext? {
        guard let server = settings.managedServer else { return nil }
        var settings = settings
        (settings.clientID, settings.authority, settings.resource) = (
            server.resource.clientId, server.authority, server.resource
        )
        settings.managedServer = nil
        return FlowContext(
            settings: settings, dependencies: dependencies, metadata: authorities.metadata,
            silentRequests: silentRequests, telemetry: telemetry, reporter: reporter, recorder: recorder,
            secret: serverSecret)
    }

    /// Step 1, before a step that can't be taken back. `isSilent`: no user has just chosen the server, whose metadata may have
    /// changed since.
    func findManagedServer(isSilent: Bool = false) async throws {
        guard let atServer, let server = settings.managedServer else { return }
        if isSilent {
            _ = try await ResourceDiscovery(
                clientID: server.resource.clientId, authority: server.authority, redirectURI: nil, clientDocument: nil,
                listener: nil, dependencies: dependencies, toResource: dependencies.transport,
                reporter: FlowReporter(log: reporter.log), isManaged: true
            ).find(server.resource.url, nil)
        }
        try await atServer.readSecret(for: try await atServer.authorities.resolve(atServer.settings.authority))
    }

    /// All steps; `nil` without a managed server. The caller keeps what the organisation's authority gave before a failure.
    /// `isOfSignIn`: the ID token is that of a sign-in, which no other one would better.
    func exchanged(
        _ idToken: Secret?, at organisation: inout ResolvedAuthority, for request: TokenRequestSnapshot,
        isOfSignIn: Bool = false
    ) async -> Result<TokenResponse, AuthenticationFailure>? {
        guard let atServer, let resource = settings.managedServer?.resource else { return nil }
        do {
            guard let idToken else { throw AuthenticationFailure.needsSignIn(.noIDToken) }
            var server = try await atServer.authorities.resolve(atServer.settings.authority)
            let assertion = try await assertion(idToken, at: &organisation, for: resource, server.issuer.text, request)
            return .success(try await atServer.redeem(assertion, at: &server, for: request))
        } catch let failure as AuthenticationFailure {
            reporter.failed(.exchangeIdentity, "There is no token for \(resource.url.origin)")
            guard case .authority(.response(var response)) = failure else { return .failure(failure) }
            response.followsSignIn = isOfSignIn
            return .failure(.authority(.response(response)))
        } catch { return .failure(.unexpected("\(type(of: error))")) }
    }

    /// Step 2.
    private func assertion(
        _ idToken: Secret, at organisation: inout ResolvedAuthority, for resource: MSALProtectedResource,
        _ issuer: String, _ request: TokenRequestSnapshot
    ) async throws -> IdentityAssertion {
        reporter.started(.exchangeIdentity, "Requesting an assertion for \(issuer) from \(organisation.tokenHost)")
        let sent = try await send(to: &organisation, .identityAssertion) { authority in
            var message = message(
                .identityAssertion(idToken: idToken), to: authority.configuration.tokenEndpoint, at: authority,
                for: request)
            (message.scopes, message.audience, message.resource) = (request.resourceScopes, issuer, resource.identifier)
            (message.claims, message.requestsClientInfo) = (nil, false)
            return message.httpRequest
        }
        let assertion = try translating(sent, from: .identityAssertion, IdentityAssertion.init(parsing:))
        if let audiences = assertion.audiences, audiences.map(\.withoutRootSlash) != [issuer.withoutRootSlash] {
            throw AuthenticationFailure.authority(
                .resource(
                    resource.url,
                    .strangeAssertion(
                        audiences.isEmpty ? "nobody" : audiences.joined(separator: ", "), issuer: issuer)))
        }
        return assertion
    }

    /// Step 3.
    private func redeem(
        _ assertion: IdentityAssertion, at authority: inout ResolvedAuthority, for request: TokenRequestSnapshot
    ) async throws -> TokenResponse {
        reporter.noted(.exchangeIdentity, "Sending the assertion to \(authority.tokenHost)")
        let sent = try await send(to: &authority, .assertion) { authority in
            var message = message(
                .assertion(assertion.text), to: authority.configuration.tokenEndpoint, at: authority, for: request)
            (message.scopes, message.audience, message.claims) = (request.resourceScopes, nil, nil)
            (message.requestsClientInfo, message.extraParameters) = (false, [:])
            return message.httpRequest
        }
        let response = try translating(sent, from: .assertion) { response throws(TokenResponseFailure) in
            try TokenResponse(parsing: response)
        }.knowingSecrets(of: sent)
        guard response.accessToken != nil else {
            throw AuthenticationFailure.authority(.malformedResponse(.missing(member: "access_token")))
        }
        guard response.accessToken != assertion.text else {
            throw AuthenticationFailure.authority(
                .malformedResponse(.otherTokenType(expected: "Bearer", found: IdentityAssertion.type)))
        }
        try checkTokenType(response, for: request.scheme)
        reporter.succeeded(.exchangeIdentity, "\(authority.tokenHost) issued a token")
        return response
    }
}

extension SilentFlow {
    /// The token of a managed server, by the ID token of the sign-in while that is valid; `nil` if only a refresh can give another.
    func exchanged(_ search: CacheSearch, _ account: AccountReference) async throws -> TokenOutcome? {
        try await context.findManagedServer(isSilent: true)
        guard request.token.isForManagedServer, request.token.claims.isEmpty, let realm = search.realm,
            let idToken = search.credentials.idToken(realm: realm, environments: search.environments.inCache),
            let expiry = (try? JWT(parsing: idToken.reveal()))?.claims.expiry,
            expiry > context.dependencies.time.now().addingTimeInterval(60)
        else { return nil }
        let authority = try await context.authorities.resolve(search.authority)
        try checkAuthority(search)
        try authority.requireOwnCloud()
        return try await context.dependencies.finishing {
            var authority = authority
            let room = try context.roomForTokens()
            let exchanged = await context.exchanged(idToken, at: &authority, for: request.token)
            let canRefresh = !refreshTokens(search, account).isEmpty
            if let failure = exchanged?.failure {
                guard failure.kind == .signInRequired, canRefresh else { throw failure }
                return nil
            }
            var outcome = try context.outcome(
                of: .empty(), nil, from: authority, for: request.token,
                previous: search.account(client: context.settings.clientID), exchanged: exchanged)
            (outcome.idToken, outcome.claims) = (idToken, outcome.profile.claims)
            return try context.complete(refresh: outcome, for: request.token, in: room)
        }
    }
}
