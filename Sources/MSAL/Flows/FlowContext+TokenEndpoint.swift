import Foundation
import OAuthCore

/// Access to the token endpoint that throws ``AuthenticationFailure``.
extension FlowContext {
    func requestToken(
        _ grant: TokenRequest.Grant, at authority: inout ResolvedAuthority, for request: TokenRequestSnapshot
    ) async throws -> TokenResponse {
        let last = telemetry.snapshot.last
        let sent = try await send(to: &authority, .codeRedemption) { authority in
            try tokenRequest(
                grant, at: authority, for: request,
                telemetry: [RequestTelemetry.current(.interactive, .notRequested), last.header])
        }
        let response = try tokens(in: sent, from: .codeRedemption)
        telemetry.note { $0.noteDelivery(of: last.failures) }
        return response
    }

    /// Sends a silent token request, unless throttling repeats an earlier failure.
    func requestTokenUnlessThrottled(
        _ grant: TokenRequest.Grant, at authority: inout ResolvedAuthority, for request: TokenRequestSnapshot,
        cacheUse: RequestTelemetry.CacheUse
    ) async throws -> TokenResponse {
        let last = telemetry.snapshot.last
        var thumbprints: RequestThumbprints?
        let sent = try await send(to: &authority, .refresh) { authority in
            try authority.requireOwnCloud()
            let message = try tokenRequest(
                grant, at: authority, for: request,
                telemetry: [RequestTelemetry.current(.silent, cacheUse), last.header])
            let prints = RequestThumbprints(message)
            let now = dependencies.time.now()
            if let earlier = silentRequests.throttling({ $0.failure(for: prints, at: now) }) {
                throw AuthenticationFailure.authority(.throttled(earlier))
            }
            thumbprints = prints
            return message
        }
        do {
            let response = try tokens(in: sent, from: .refresh)
            telemetry.note { $0.noteDelivery(of: last.failures) }
            return response
        } catch let failure as AuthenticationFailure {
            let now = dependencies.time.now()
            if let thumbprints, !isChanged {
                silentRequests.throttling { $0.note(failure, of: thumbprints, at: now) }
            }
            throw sent.response.replacesRefreshToken ? .authority(.refreshLost(failure)) : failure
        }
    }

    /// The authority with its keys, if this request can get an ID token.
    func withKeys(
        _ authority: ResolvedAuthority, for request: TokenRequestSnapshot
    ) async throws -> ResolvedAuthority {
        try await authorities.withKeys(authority, for: settings.sent(request.requestedScopes, to: authority))
    }

    /// Returns a token request. `telemetry`: the header values for this request and for earlier ones.
    func tokenRequest(
        _ grant: TokenRequest.Grant, at authority: ResolvedAuthority, for request: TokenRequestSnapshot,
        telemetry: [String] = []
    ) throws -> HTTPRequest {
        var message = message(grant, to: authority.configuration.tokenEndpoint, at: authority, for: request)
        message.requestsClientInfo = authority.speaksEntra
        message.confirmation = try confirmation(for: request.scheme)
        if authority.speaksEntra {
            for (name, value) in zip(["x-client-current-telemetry", "x-client-last-telemetry"], telemetry) {
                message.headers[name] = value
            }
        }
        return message.httpRequest
    }

    /// A request with what all requests for tokens and device codes have.
    func message(
        _ grant: TokenRequest.Grant, to endpoint: URL, at authority: ResolvedAuthority,
        for request: TokenRequestSnapshot
    ) -> TokenRequest {
        var message = TokenRequest(
            endpoint: endpoint, clientID: settings.clientID, grant: grant,
            scopes: grant.keepsScopes(at: authority) ? [] : settings.sent(request.requestedScopes, to: authority))
        message.clientSecret = clientSecret(at: authority)
        message.resource = sentResource
        message.audience = settings.audience
        message.claims = request.claimsText(capabilities: settings.capabilities)
        message.extraParameters = request.extraQueryParameters
        message.extraParameters.replace(with: settings.slice)
        message.headers = entraHeaders(for: request, at: authority)
        return message
    }

    /// The `resource` parameter (RFC 8707 §2), or `nil`.
    var sentResource: String? {
        settings.resource.flatMap { $0.isSent ? $0.identifier : nil }
    }

    /// The claims of the userinfo endpoint, or what an OAuth server says instead, for a response without an ID token.
    func userInfo(
        _ judged: JudgedIDToken?, _ response: TokenResponse, at authority: inout ResolvedAuthority
    ) async throws -> IDTokenClaims? {
        guard judged == nil, !authority.speaksEntra, let accessToken = response.accessToken else { return nil }
        if let account = authority.authority.oauthServer?.account {
            let reply = try await send(to: &authority, .userInfo) { _ in
                UserInfo.request(account, accessToken: accessToken)
            }
            return try translating(reply, from: .userInfo) { (reply) throws(TokenResponseFailure) in
                try UserInfo(parsing: reply, naming: account)
            }.claims
        }
        guard let endpoint = authority.configuration.userInfoEndpoint else { return nil }
        let reply = try await send(to: &authority, .userInfo) { authority in
            UserInfo.request(authority.configuration.userInfoEndpoint ?? endpoint, accessToken: accessToken)
        }
        return try translating(reply, from: .userInfo, UserInfo.init(parsing:)).claims
    }

    /// The headers with client metadata and correlation ID, which only Microsoft Entra ID reads
    /// (docs/upstream-behaviour.md §9.1).
    func entraHeaders(for request: TokenRequestSnapshot, at authority: ResolvedAuthority) -> HTTPHeaders {
        guard authority.speaksEntra else { return [:] }
        var headers = clientMetadata.headers
        headers["client-request-id"] = request.correlationID.uuidString
        headers["return-client-request-id"] = "true"
        headers[AnchorMailbox.name] = AnchorMailbox.value(account: request.account).flatMap {
            $0.isHeaderText ? $0 : nil
        }
        return headers
    }

    var clientMetadata: ClientMetadata {
        ClientMetadata(
            system: dependencies.system, applicationName: settings.displayName, applicationVersion: settings.version)
    }

    typealias Sent = (request: HTTPRequest, response: HTTPResponse)

    /// Sends a request to an endpoint. If the cached URL has no endpoint, fetches the discovery document and sends the
    /// request to the new URL, unless it must not be repeated (docs/decisions/0034). No URL gets the request twice.
    func send(
        to authority: inout ResolvedAuthority, _ endpoint: ResponseFailure.Endpoint,
        by transport: (any HTTPTransport)? = nil, _ message: (ResolvedAuthority) throws -> HTTPRequest
    ) async throws -> Sent {
        let transport = transport ?? dependencies.transport
        if endpoint.authenticatesClient { try await readSecret(for: authority) }
        let first = try message(authority)
        try checkRecipient(first.url, endpoint, of: authority)
        let result = await Self.result(of: first, by: transport)
        if result.saysEndpointIsGone, let reread = try? await authorities.reread(authority) {
            authority = reread
            let second = try message(reread)
            try judge(endpoint.isOfDeviceCode ? .device : .page, of: reread)
            try checkRecipient(second.url, endpoint, of: reread)
            if second.url != first.url {
                try checkResending(first, result, to: second.url, endpoint)
                return (second, try received(await Self.result(of: second, by: transport), second))
            }
        }
        return (first, try received(result, first))
    }

    /// Throws if a server received a code or token to redeem, and the endpoint is now on another server.
    private func checkResending(
        _ request: HTTPRequest, _ result: Result<HTTPResponse, TransportFailure>, to address: URL,
        _ endpoint: ResponseFailure.Endpoint
    ) throws {
        guard request.isSpending, address.origin != request.url.origin, case .success(let response) = result else {
            return
        }
        var failure = ResponseFailure(endpoint, response, to: request, .unexplained, at: dependencies.time.now())
        failure.movedTo = address
        throw AuthenticationFailure.authority(.response(failure))
    }

    private static func result(
        of request: HTTPRequest, by transport: any HTTPTransport
    ) async -> Result<HTTPResponse, TransportFailure> {
        do { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }

    private func received(
        _ result: Result<HTTPResponse, TransportFailure>, _ request: HTTPRequest
    ) throws -> HTTPResponse {
        try result.mapError { AuthenticationFailure($0, host: request.url.hostAndPort) }.get()
    }

    private func tokens(in sent: Sent, from endpoint: ResponseFailure.Endpoint) throws -> TokenResponse {
        try translating(sent, from: endpoint) { response throws(TokenResponseFailure) in
            try TokenResponse(parsing: response, isOfRefresh: endpoint == .refresh)
        }.knowingSecrets(of: sent)
    }

    /// Parses a response and translates its errors.
    func translating<Response>(
        _ sent: Sent, from endpoint: ResponseFailure.Endpoint,
        _ read: (HTTPResponse) throws(TokenResponseFailure) -> Response
    ) throws -> Response {
        do { return try read(sent.response) } catch {
            var failure = ResponseFailure(
                endpoint, sent.response, to: sent.request, error, at: dependencies.time.now())
            failure.hasSecretFile = [settings.clientSecret, settings.managedServer?.clientSecret].contains { secret in
                if case .file? = secret { true } else { false }
            }
            doubtRegistration(failure.registrationDoubt)
            throw AuthenticationFailure.authority(.response(failure))
        }
    }
}

extension TokenResponse {
    /// The response with the secrets of its request and its own, to mask them in other text.
    func knowingSecrets(of sent: FlowContext.Sent) -> TokenResponse {
        var response = self
        response.exchangedSecrets = (sent.request.secrets + sent.response.secrets).map { Secret($0) }
        return response
    }
}

extension Result<HTTPResponse, TransportFailure> {
    fileprivate var saysEndpointIsGone: Bool {
        switch self {
        case .success(let response): response.saysEndpointIsGone
        case .failure(let failure): failure.saysEndpointIsGone
        }
    }
}

extension ResponseFailure.Endpoint {
    fileprivate var isOfDeviceCode: Bool { self == .deviceAuthorization || self == .devicePolling }
}

extension HTTPResponse {
    /// Whether a response that can't be used has spent the refresh token all the same.
    fileprivate var replacesRefreshToken: Bool {
        status == 200 && (try? JSONValue(parsing: body))?["refresh_token"]?.string?.isEmpty == false
    }
}

extension TokenRequest.Grant {
    /// Whether to omit the scopes, which refreshes all granted ones whatever the provider calls them (RFC 6749 §6). At
    /// Microsoft Entra ID scopes select the resource.
    fileprivate func keepsScopes(at authority: ResolvedAuthority) -> Bool {
        switch self {
        case .refreshToken: !authority.speaksEntra
        case .authorizationCode, .deviceCode, .deviceAuthorization, .identityAssertion, .assertion: false
        }
    }
}
