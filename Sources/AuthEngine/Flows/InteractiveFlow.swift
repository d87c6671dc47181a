import Foundation
import OAuthCore

/// Signs a person in: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252).
///
/// The ladder, top to bottom:
/// 1. Find the authority: its endpoints and its issuer. Outside Entra, request what the account was granted before, too.
/// 2. Make `state`, `nonce` and the code verifier, fresh for this sign-in. Whoever signed out of this application is
///    asked for credentials again, whatever session the browser has.
/// 3. Listen where the browser will land, before it opens.
/// 4. Open the browser. If that fails the user can still open the address by hand, so the wait goes on if it is shown.
/// 5. Wait for the one response with our `state`; strays do not end the wait.
/// 6. Hold the response against what was asked: `state`, issuer, code or error.
/// 7. Redeem the code, with the verifier.
/// 8. Judge the ID token. One failed rule ends the sign-in and nothing is saved; so does an issuer other than the
///    response's (RFC 9207 §2.4).
/// 9. If an account or a user was asked for, it has to be the one that signed in.
/// 10. Save everything in one transaction.
struct InteractiveFlow {
    let context: FlowContext
    private(set) var request: InteractiveRequest

    init(context: FlowContext, request: InteractiveRequest) {
        self.context = context
        self.request = request
    }

    func run() async throws -> TokenOutcome {
        let authority = try await context.authorities.resolve(request.token.authority)
        var flow = self
        flow.request.token = try context.keepingGrant(request.token, at: authority)
        return try await flow.signIn(at: authority)
    }

    private func signIn(at authority: ResolvedAuthority) async throws -> TokenOutcome {
        let secrets = OneTimeSecrets(random: context.dependencies.random)
        let landing = try await authorize(at: authority, secrets, prompt: try prompt())
        // The browser may still fetch the page that says it is over; the code need not wait for that.
        async let closed: Void? = landing.receiver?.close()
        let code = try redeemable(landing, from: authority, secrets)
        var issuing = try await issuingAuthority(of: code, authority)
        let response = try await redeem(code, at: &issuing, secrets)
        let judged = try await context.judgeIDToken(of: response, from: issuing, nonce: secrets.nonce)
        try check(judged, cameFrom: code.issuer)
        let outcome = try context.outcome(of: response, judged, from: issuing, for: request.token)
        try context.complete(signIn: outcome, for: request.token)
        await closed
        return outcome
    }

    /// Somebody who signed out expects to be asked (docs/upstream-behaviour.md §7.1); asking for consent shows a page
    /// anyway.
    private func prompt() throws -> MSALPromptType {
        guard let account = request.token.account, request.prompt != .consent,
            try context.credentials(of: account.homeAccountID).isSignedOut
        else { return request.prompt }
        return .login
    }

    /// Steps 3 to 5.
    private func authorize(
        at authority: ResolvedAuthority, _ secrets: OneTimeSecrets, prompt: MSALPromptType
    ) async throws -> BrowserVisit.Landing {
        let visit = BrowserVisit(
            context: context, redirect: landingRedirect, state: Secret(secrets.state), purpose: "sign-in",
            correlationID: request.token.correlationID, openURL: request.openURL,
            lendTerminal: request.lendTerminal, isPrivate: request.isPrivate, isFollowed: request.isFollowed)
        return try await visit.run { landing in
            authorizationRequest(at: authority, secrets, landing: landing, prompt: prompt).url
        }
    }

    /// Where the browser comes back to: inside of another application, to that one's redirect URI.
    private var landingRedirect: RedirectURI { context.settings.nestedBroker?.redirect ?? context.settings.redirect }

    /// What the authority is told: inside of another application this one's own, whoever receives the answer.
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
            scopes: token.requestedScopes.addingReserved.union(request.extraScopesToConsent), state: secrets.state,
            nonce: secrets.nonce, codeChallenge: secrets.verifier.challenge)
        authorization.prompt = prompt.wireValue
        authorization.loginHint = token.account?.username ?? request.username
        authorization.domainHint = request.domainHint
        if let uid = token.account?.objectID, let utid = token.account?.tenantID {
            authorization.account = ClientInfo(uid: uid, utid: utid)
        }
        authorization.requestsClientInfo = authority.speaksEntra
        if authority.speaksEntra {
            authorization.correlationID = token.correlationID
            authorization.clientMetadata = context.clientMetadata.library
            authorization.clientMetadata[AnchorMailbox.name] = AnchorMailbox.value(
                account: token.account, loginHint: request.username)
            authorization.applicationMetadata = context.clientMetadata.application
        }
        authorization.claims = token.claimsText(capabilities: settings.capabilities)
        authorization.isInstanceAware = settings.isInstanceAware && authority.speaksEntra
        authorization.prefersQRPIN = request.prefersQRPIN
        authorization.slice = settings.slice
        if let broker = settings.nestedBroker {
            authorization.nestedBroker = ["brk_client_id": broker.clientID, "brk_redirect_uri": landing.absoluteString]
        }
        authorization.extraParameters = token.extraQueryParameters
        return authorization
    }

    private func redeemable(
        _ landing: BrowserVisit.Landing, from authority: ResolvedAuthority, _ secrets: OneTimeSecrets
    ) throws -> AuthorizationCode {
        // Another cloud that may answer has another issuer; its ID token is held against that one.
        let issuer = context.settings.isInstanceAware ? nil : authority.issuer
        let expectation = AuthorizationResponse.Expectation(
            state: secrets.state, issuer: issuer,
            requiresIssuer: authority.configuration.promisesIssuerInResponse && !landing.isBareCode)
        let response: AuthorizationResponse
        do throws(AuthorizationResponse.Failure) {
            response = try AuthorizationResponse(callback: landing.url, expecting: expectation)
        } catch {
            throw AuthenticationFailure.authority(.badCallback(error))
        }
        switch response {
        case .code(let code, _, let cloudHost, let issuer):
            return AuthorizationCode(
                code: code, redirectURI: toldRedirectURI(landing.redirectURI), cloudHost: cloudHost, issuer: issuer)
        case .refused(let refusal):
            throw AuthenticationFailure.authority(
                .response(
                    ResponseFailure(
                        authorization: refusal, at: authority.configuration.authorizationEndpoint,
                        in: AuthorizationResponse.parameters(of: landing.url),
                        hiding: [secrets.state, secrets.nonce, secrets.verifier.secret.reveal()])))
        }
    }

    /// Another cloud may answer for whoever signed in, if that was asked for and the cloud is known; an unknown one is
    /// not believed (docs/upstream-behaviour.md §2.1).
    private func issuingAuthority(
        of code: AuthorizationCode, _ authority: ResolvedAuthority
    ) async throws -> ResolvedAuthority {
        guard context.settings.isInstanceAware, let cloud = code.cloudHost?.lowercased(),
            context.authorities.trusts(cloud: cloud, besides: authority.authority)
        else { return authority }
        return try await context.authorities.resolve(authority.authority.on(environment: cloud))
    }

    private func redeem(
        _ code: AuthorizationCode, at authority: inout ResolvedAuthority, _ secrets: OneTimeSecrets
    ) async throws -> TokenResponse {
        context.reporter.started(.redeemCode, "Redeeming the code at \(authority.tokenHost)")
        do {
            let response = try await context.requestToken(
                .authorizationCode(
                    code.code, redirectURI: code.redirectURI, verifier: secrets.verifier),
                at: &authority, for: request.token)
            context.reporter.succeeded(.redeemCode, "The authority gave tokens")
            return response
        } catch {
            context.reporter.failed(.redeemCode, "The code was not redeemed")
            throw error
        }
    }

    /// A multi-tenant authority answers for any tenant, so its template alone does not say that both are of the same
    /// one.
    private func check(_ judged: JudgedIDToken?, cameFrom issuer: String?) throws {
        guard let issuer, let expected = judged?.token.claims.issuer, expected != issuer else { return }
        throw AuthenticationFailure.authority(.badCallback(.issuerMismatch(expected: expected, found: issuer)))
    }
}

private struct AuthorizationCode {
    var code: Secret
    var redirectURI: String
    var cloudHost: String?
    /// Who the browser said had issued it.
    var issuer: String?
}
