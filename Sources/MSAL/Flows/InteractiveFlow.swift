import Foundation
import KeyturnCrypto
import OAuthCore

/// Signs a user in with authorization code and PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252).
///
/// 1. Find the endpoints, the issuer and the keys of the authority. Outside Microsoft Entra ID, also request the scopes that the
///   account was granted before.
/// 2. Create `state`, `nonce` and code verifier for this sign-in. If the account signed out of this application,
///   require credentials regardless of the browser session.
/// 3. Listen at the redirect URI.
/// 4. Leave the request with the authority if it offers that (RFC 9126). Open the browser. If that fails but the URL is
///   shown, keep waiting, because the user can open it by hand.
/// 5. Wait for the response with this `state`; ignore others.
/// 6. Check `state`, issuer, and code or error of the response.
/// 7. Make sure that there is room for the tokens. Redeem the code with the verifier.
/// 8. Validate the ID token. A failed rule, or an issuer other than the response's (RFC 9207 §2.4), ends the sign-in
///   without saving anything.
/// 9. Check that the requested account or user signed in.
/// 10. Save everything in one transaction. If that fails, return the tokens with the reason. Cancellation doesn't interrupt
///   steps 7 to 10 (``Dependencies/finishing(_:)``).
struct InteractiveFlow {
    let context: FlowContext
    private(set) var request: InteractiveRequest

    func run() async throws -> TokenOutcome {
        try context.cached { try $0.prepare() }
        let found = try await context.authorities.resolve(request.token.authority)
        // The browser would show the error page of an endpoint that has moved.
        let current = try await context.authorities.current(found)
        var flow = self
        flow.request.token = try context.keepingGrant(request.token, at: current)
        return try await flow.signIn(at: try await context.withKeys(current, for: flow.request.token))
    }

    private func signIn(at authority: ResolvedAuthority) async throws -> TokenOutcome {
        try context.judge(.page, of: authority)
        try await context.readSecret(for: authority)
        try await context.findManagedServer()
        let secrets = OneTimeSecrets(random: context.dependencies.random)
        let landing = try await authorize(at: authority, secrets, prompt: try prompt())
        // Redeem the code without waiting for the browser to load the closing page.
        async let closed: Void? = landing.receiver?.close()
        let code = try redeemable(landing, from: authority, secrets)
        let issuing = try await issuingAuthority(of: code, authority)
        let redirectURI = toldRedirectURI(landing.redirectURI)
        let outcome = try await context.dependencies.finishing {
            try await saved(code, of: redirectURI, at: issuing, secrets)
        }
        await closed
        return outcome
    }

    /// Steps 7 to 10.
    private func saved(
        _ code: AuthorizationResponse.Code, of redirectURI: String, at authority: ResolvedAuthority,
        _ secrets: OneTimeSecrets
    ) async throws -> TokenOutcome {
        var issuing = authority
        let room = try context.roomForTokens()
        var response = try await redeem(code.value, of: redirectURI, at: &issuing, secrets)
        context.keepRecipients(of: issuing)
        response.exchangedSecrets += [Secret(secrets.state), Secret(secrets.nonce)]
        let judged = try await context.judgeIDToken(
            of: response, from: issuing, nonce: secrets.nonce, meeting: request.token)
        try check(judged, cameFrom: code.issuer)
        let userInfo = try await context.identity(judged, response, at: &issuing)
        let names = await context.names(judged, response, at: &issuing)
        let exchanged = await context.exchanged(judged?.raw, at: &issuing, for: request.token, isOfSignIn: true)
        let outcome = try context.outcome(
            of: response, judged, from: issuing, for: request.token, userInfo: userInfo, namedBy: names,
            exchanged: exchanged)
        return try context.complete(signIn: outcome, for: request.token, in: room)
    }

    /// An account that signed out is asked for credentials (docs/upstream-behaviour.md §7.1), unless the request asks for
    /// consent, which shows a page in any case.
    private func prompt() throws -> MSALPromptType {
        guard let account = request.token.account, request.prompt != .consent,
            try context.cached({ try $0.credentials(of: account.homeAccountID) }).isSignedOut
        else { return request.prompt }
        return .login
    }

    /// Steps 3 to 5.
    private func authorize(
        at authority: ResolvedAuthority, _ secrets: OneTimeSecrets, prompt: MSALPromptType
    ) async throws -> BrowserVisit.Landing {
        let host = authority.configuration.authorizationEndpoint.hostAndPort
        let visit = BrowserVisit(
            context: context, host: host,
            // The browser returns to a host application if there is one.
            redirect: context.settings.nestedBroker?.redirect ?? context.settings.redirect,
            state: Secret(secrets.state), purpose: "sign-in", correlationID: request.token.correlationID,
            access: request.access, overdue: .user(.signInUnanswered(host: host, seconds: request.access.limit ?? 0)),
            unanswered: { context.doubtRegistration(.unanswered) })
        return try await visit.run { landing in
            let request = authorizationRequest(at: authority, secrets, landing: landing, prompt: prompt)
            return try await context.page(for: request, at: authority)
        }
    }

    /// The redirect URI in the request: this application's own, even if a host application receives the response.
    private func toldRedirectURI(_ landing: URL) -> String {
        (context.settings.nestedBroker == nil ? landing : context.settings.redirect.url).absoluteString
    }

    private func authorizationRequest(
        at authority: ResolvedAuthority, _ secrets: OneTimeSecrets, landing: URL, prompt: MSALPromptType
    ) -> AuthorizationRequest {
        let token = request.token
        let settings = context.settings
        var authorization = AuthorizationRequest(
            endpoint: authority.configuration.authorizationEndpoint, clientID: settings.clientID,
            redirectURI: toldRedirectURI(landing),
            scopes: context.settings.sent(token.requestedScopes, to: authority).union(request.extraScopesToConsent),
            state: secrets.state, nonce: secrets.nonce, codeChallenge: secrets.verifier.challenge)
        authorization.prompt = prompt.wireValue
        authorization.loginHint = token.account?.hint ?? request.username
        authorization.domainHint = request.domainHint
        if let uid = token.account?.objectID, let utid = token.account?.tenantID {
            authorization.account = ClientInfo(uid: uid, utid: utid)
        }
        authorization.requestsClientInfo = authority.speaksEntra
        if authority.speaksEntra {
            authorization.correlationID = token.correlationID
            // A URL that people copy is short, so it has no versions for the authority's statistics.
            if !request.access.expectsPaste {
                authorization.clientMetadata = context.clientMetadata.library
                authorization.applicationMetadata = context.clientMetadata.application
            }
            authorization.clientMetadata[AnchorMailbox.name] = AnchorMailbox.value(
                account: token.account, loginHint: request.username)
        }
        authorization.claims = token.claimsText(capabilities: settings.capabilities)
        authorization.resource = context.sentResource
        authorization.audience = settings.audience
        authorization.requestsGoogleOfflineAccess = authority.configuration.isGoogle
        authorization.acrValues = token.acrValues
        authorization.maximumAge = token.maximumAge
        authorization.isInstanceAware = settings.isInstanceAware && authority.speaksEntra
        authorization.prefersQRPIN = request.prefersQRPIN
        authorization.slice = settings.slice
        if let broker = settings.nestedBroker {
            authorization.nestedBroker = ["brk_client_id": broker.clientID, "brk_redirect_uri": landing.absoluteString]
        }
        authorization.extraParameters = settings.extraParameters
        authorization.extraParameters.replace(with: token.extraQueryParameters)
        return authorization
    }

    private func redeemable(
        _ landing: BrowserVisit.Landing, from authority: ResolvedAuthority, _ secrets: OneTimeSecrets
    ) throws -> AuthorizationResponse.Code {
        // Another cloud has another issuer, against which its ID token is checked later.
        let issuer = context.settings.isInstanceAware ? nil : authority.issuer
        let server = authority.configuration
        // A code alone names no issuer, so the page must be the authority's own.
        let isOwnCode = landing.isBareCode && server.keepsCodes
        let expectation = AuthorizationResponse.Expectation(
            state: secrets.state, issuer: issuer, requiresIssuer: server.promisesIssuerInResponse && !isOwnCode)
        let response: AuthorizationResponse
        do { response = try AuthorizationResponse(callback: landing.url, expecting: expectation) } catch {
            throw AuthenticationFailure.authority(.badCallback(error))
        }
        switch response {
        case .code(let code): return code
        case .rejected(let rejection):
            let failure = ResponseFailure(
                authorization: rejection, at: authority.configuration.authorizationEndpoint,
                in: AuthorizationResponse.parameters(of: landing.url),
                requesting: context.settings.sent(request.token.requestedScopes, to: authority),
                hiding: [secrets.state, secrets.nonce, secrets.verifier.secret.reveal()])
            context.doubtRegistration(failure.registrationDoubt)
            throw AuthenticationFailure.authority(.response(failure))
        }
    }

    /// Another cloud issues the tokens if the application supports that and knows it (docs/upstream-behaviour.md §2.1).
    private func issuingAuthority(
        of code: AuthorizationResponse.Code, _ authority: ResolvedAuthority
    ) async throws -> ResolvedAuthority {
        guard context.settings.isInstanceAware, let cloud = code.cloudHost?.lowercased(),
            context.authorities.trusts(cloud: cloud, besides: authority.authority)
        else { return authority }
        return try await context.authorities.resolve(authority.authority.on(environment: cloud))
    }

    private func redeem(
        _ code: Secret, of redirectURI: String, at authority: inout ResolvedAuthority, _ secrets: OneTimeSecrets
    ) async throws -> TokenResponse {
        context.reporter.started(.redeemCode, "Redeeming the code at \(authority.tokenHost)")
        do {
            let response = try await context.requestToken(
                .authorizationCode(code, redirectURI: redirectURI, verifier: secrets.verifier),
                at: &authority, for: request.token)
            context.reporter.succeeded(.redeemCode, "The authority issued tokens")
            return response
        } catch {
            context.reporter.failed(.redeemCode, "The code was not redeemed")
            throw error
        }
    }

    /// The issuer template of a multi-tenant authority would accept different tenants.
    private func check(_ judged: JudgedIDToken?, cameFrom issuer: String?) throws {
        guard let issuer, let expected = judged?.token.claims.issuer, expected != issuer else { return }
        throw AuthenticationFailure.authority(.badCallback(.issuerMismatch(expected: expected, found: issuer)))
    }
}

/// The values that bind an authorization request to its response, with 256 random bits each (RFC 6749 §10.10).
struct OneTimeSecrets {
    let state: String
    let nonce: String
    let verifier: CodeVerifier

    init(random: any RandomBytes) {
        state = Base64URL.encode(random.bytes(32))
        nonce = Base64URL.encode(random.bytes(32))
        verifier = CodeVerifier(randomBytes: random.bytes(32))
    }
}
