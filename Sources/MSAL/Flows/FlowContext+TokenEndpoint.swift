import Foundation
import OAuthCore

extension FlowContext {
    func requestToken(
        _ grant: TokenRequest.Grant, at authority: inout ResolvedAuthority, for request: TokenRequestSnapshot
    ) async throws -> TokenResponse {
        let last = telemetry.withLock(\.last)
        let sent = try await send(to: &authority, .codeRedemption) { authority in
            try tokenRequest(
                grant, at: authority, for: request,
                telemetry: [RequestTelemetry.current(.interactive, .notRequested), last.header])
        }
        let response = try tokens(in: sent, from: .codeRedemption)
        telemetry.withLock { $0.noteDelivery(of: last.failures) }
        return response
    }

    /// Sends a silent token request, unless throttling repeats an earlier failure.
    func requestTokenUnlessThrottled(
        _ grant: TokenRequest.Grant, at authority: inout ResolvedAuthority, for request: TokenRequestSnapshot,
        cacheUse: RequestTelemetry.CacheUse
    ) async throws -> TokenResponse {
        let last = telemetry.withLock(\.last)
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
            telemetry.withLock { $0.noteDelivery(of: last.failures) }
            return response
        } catch let failure as AuthenticationFailure {
            let now = dependencies.time.now()
            if let thumbprints, !isChanged {
                silentRequests.throttling { $0.note(failure, of: thumbprints, at: now) }
            }
            throw sent.response.replacesRefreshToken ? .authority(.refreshLost(failure)) : failure
        }
    }

    /// With the keys that verify the ID token, so that a missing document of keys ends a sign-in before the user acts.
    func withKeys(_ authority: ResolvedAuthority, for request: TokenRequestSnapshot) async throws -> ResolvedAuthority {
        let scopes = settings.sent(request.requestedScopes, to: authority)
        guard authority.configuration.jwksURI != nil, scopes.contains("openid") else { return authority }
        var ready = authority
        ready.keys = try await authorities.keys(of: &ready).value
        return ready
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

    /// What all requests for tokens and device codes have.
    func message(
        _ grant: TokenRequest.Grant, to endpoint: URL, at authority: ResolvedAuthority,
        for request: TokenRequestSnapshot
    ) -> TokenRequest {
        // A refresh without scopes keeps all granted ones, whatever the provider calls them (RFC 6749 §6). At Microsoft Entra ID
        // scopes select the resource.
        let keepsScopes = if case .refreshToken = grant { !authority.speaksEntra } else { false }
        var message = TokenRequest(
            endpoint: endpoint, clientID: settings.clientID, grant: grant,
            scopes: keepsScopes ? [] : settings.sent(request.requestedScopes, to: authority))
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
    var sentResource: String? { settings.resource.flatMap { $0.isSent ? $0.identifier : nil } }

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

    /// Headers that only Microsoft Entra ID reads (docs/upstream-behaviour.md §9.1).
    func entraHeaders(for request: TokenRequestSnapshot, at authority: ResolvedAuthority) -> HTTPHeaders {
        guard authority.speaksEntra else { return [:] }
        var headers = clientMetadata.headers
        headers["client-request-id"] = request.correlationID.uuidString
        headers["return-client-request-id"] = "true"
        let mailbox = AnchorMailbox.value(account: request.account)
        headers[AnchorMailbox.name] = mailbox?.isPrintableASCII == true ? mailbox : nil
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
            try judge([.deviceAuthorization, .devicePolling].contains(endpoint) ? .device : .page, of: reread)
            try checkRecipient(second.url, endpoint, of: reread)
            if second.url != first.url {
                try checkResending(first, result, to: second.url, endpoint)
                return (second, try await Self.result(of: second, by: transport).received(from: second.url))
            }
        }
        return (first, try result.received(from: first.url))
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

    private func tokens(in sent: Sent, from endpoint: ResponseFailure.Endpoint) throws -> TokenResponse {
        try translating(sent, from: endpoint) { response throws(TokenResponseFailure) in
            try TokenResponse(parsing: response, isOfRefresh: endpoint == .refresh)
        }.knowingSecrets(of: sent)
    }

    func translating<Response>(
        _ sent: Sent, from endpoint: ResponseFailure.Endpoint,
        _ read: (HTTPResponse) throws(TokenResponseFailure) -> Response
    ) throws -> Response {
        do { return try read(sent.response) } catch {
            var failure = ResponseFailure(endpoint, sent.response, to: sent.request, error, at: dependencies.time.now())
            failure.hasSecretFile = [settings.clientSecret, settings.managedServer?.clientSecret].contains { secret in
                if case .file? = secret { true } else { false }
            }
            doubtRegistration(failure.registrationDoubt)
            throw AuthenticationFailure.authority(.response(failure))
        }
    }

    /// Leaves the request with the authority if it offers that (RFC 9126), so that the URL is short and the browser can't change
    /// it. If the authority rejects that, the browser gets the whole request, because some offer it only to some clients.
    /// Throws instead if the authority takes no request from the browser.
    func page(for request: AuthorizationRequest, at authority: ResolvedAuthority) async throws -> BrowserVisit.Page {
        let metadata = authority.configuration
        let isRequired = metadata.requiresPushedAuthorization
        guard let endpoint = metadata.pushedAuthorizationEndpoint else {
            guard isRequired else { return .init(url: request.url) }
            let member = "pushed_authorization_request_endpoint"
            throw AuthenticationFailure.authority(
                .metadata(
                    authority.authority.url,
                    .notDiscovery(metadata.unusableEndpoints[member] ?? .missing(member: member))))
        }
        reporter.started(.pushRequest, "Sending the request to \(endpoint.hostAndPort)")
        do {
            let held = try await push(request, at: authority, endpoint)
            reporter.succeeded(
                .pushRequest,
                "\(endpoint.hostAndPort) has the request"
                    + (held.expiresIn.map { ". Open the URL within \(WaitText.short(Double($0)))" } ?? ""))
            return .init(url: request.url(of: held), lifetime: held.expiresIn)
        } catch {
            reporter.failed(.pushRequest, "The request was not accepted")
            guard !isRequired, !Task.isCancelled else { throw error }
            reporter.noted(
                .pushRequest, "\(endpoint.hostAndPort) didn't take the request. The browser brings it instead")
            return .init(url: request.url)
        }
    }

    private func push(
        _ request: AuthorizationRequest, at authority: ResolvedAuthority, _ endpoint: URL
    ) async throws -> PushedAuthorizationResponse {
        var authority = authority
        let sent = try await send(to: &authority, .pushedAuthorization) { authority in
            request.pushed(
                to: authority.configuration.pushedAuthorizationEndpoint ?? endpoint, by: clientSecret(at: authority))
        }
        return try translating(sent, from: .pushedAuthorization, PushedAuthorizationResponse.init(parsing:))
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
    fileprivate func received(from url: URL) throws -> HTTPResponse {
        try mapError { AuthenticationFailure($0, host: url.hostAndPort) }.get()
    }

    fileprivate var saysEndpointIsGone: Bool {
        switch self {
        case .success(let response): response.saysEndpointIsGone
        case .failure(let failure): failure.saysEndpointIsGone
        }
    }
}

extension HTTPResponse {
    /// Whether a response that can't be used has spent the refresh token all the same.
    fileprivate var replacesRefreshToken: Bool {
        status == 200 && (try? JSONValue(parsing: body))?["refresh_token"]?.string?.isEmpty == false
    }
}
