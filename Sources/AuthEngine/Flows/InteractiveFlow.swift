import Foundation
import OAuthCore

/// Signs a person in: authorization code with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252).
///
/// The ladder, top to bottom:
/// 1. Find the authority: its endpoints and its issuer.
/// 2. Make `state`, `nonce` and the code verifier, fresh for this sign-in.
/// 3. Listen where the browser will land, before it opens.
/// 4. Open the browser. If that fails the person can still open the address by hand, so the wait goes on.
/// 5. Wait for the one response with our `state`; strays do not end the wait.
/// 6. Hold the response against what was asked: `state`, issuer, code or error.
/// 7. Redeem the code, with the verifier.
/// 8. Judge the ID token. One failed rule ends the sign-in and nothing is saved.
/// 9. If an account was asked for, it has to be the one that signed in.
/// 10. Save everything in one transaction.
struct InteractiveFlow {
    let context: FlowContext
    let request: InteractiveRequest

    func run() async throws -> TokenOutcome {
        let authority = try await context.authorities.resolve(request.token.authority)
        let secrets = OneTimeSecrets(random: context.dependencies.random)
        let landing = try await authorize(at: authority, secrets)
        // The browser may still fetch the page that says it is over; the code need not wait for that.
        async let closed: Void? = landing.receiver?.close()
        let code = try redeemable(landing, from: authority, secrets)
        let response = try await redeem(code, at: authority, secrets)
        let judged = try await context.judgeIDToken(of: response, from: authority, nonce: secrets.nonce)
        let outcome = try context.outcome(of: response, judged, from: authority, for: request.token)
        try checkAccount(outcome)
        try context.save(outcome)
        await closed
        return outcome
    }

    /// Steps 3 to 5: everything from the listener to the response. On failure the listener is closed here.
    private func authorize(at authority: ResolvedAuthority, _ secrets: OneTimeSecrets) async throws -> Landing {
        let receiver = try await openReceiver()
        let redirect = context.settings.redirect.at(receiver?.redirectURI)
        let session = WaitingSession(state: Secret(secrets.state), redirect: redirect)
        guard InteractiveSessions.begin(session) else {
            await receiver?.close()
            throw AuthenticationFailure.sessionAlreadyRunning
        }
        do {
            await openBrowser(authorizationURL(at: authority, secrets, redirectURI: redirect.url))
            let url = try await wait(in: session)
            InteractiveSessions.end(session)
            return Landing(url: url, redirectURI: redirect.url, receiver: receiver)
        } catch {
            InteractiveSessions.end(session)
            await receiver?.close()
            throw error
        }
    }

    /// Redirect URIs other than loopback ones are received by whoever the system hands the URL to.
    private func openReceiver() async throws -> (any OpenRedirectReceiver)? {
        let redirect = context.settings.redirect
        guard redirect.way == .loopback else {
            context.reporter.succeeded(.listen, "Whoever opens \(redirect.url.absoluteString) hands the answer over")
            return nil
        }
        context.reporter.started(.listen, "Listening for the browser's answer")
        do throws(RedirectReceiverFailure) {
            let receiver = try await context.dependencies.receiver.open(redirect.url) { url in
                MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
            }
            context.reporter.succeeded(.listen, "Listening on \(receiver.redirectURI.absoluteString)")
            return receiver
        } catch {
            context.reporter.failed(.listen, error.reason)
            throw AuthenticationFailure.receiver(error)
        }
    }

    private func authorizationURL(
        at authority: ResolvedAuthority, _ secrets: OneTimeSecrets, redirectURI: URL
    ) -> URL {
        let token = request.token
        var authorization = AuthorizationRequest(
            endpoint: authority.configuration.authorizationEndpoint, clientID: context.settings.clientID,
            redirectURI: redirectURI.absoluteString,
            scopes: token.scopes.addingReserved.union(request.extraScopesToConsent), state: secrets.state,
            nonce: secrets.nonce, codeChallenge: secrets.verifier.challenge)
        authorization.prompt = request.prompt.wireValue
        authorization.loginHint = token.account?.username ?? request.loginHint
        authorization.domainHint = request.domainHint
        if let uid = token.account?.objectID, let utid = token.account?.tenantID {
            authorization.account = ClientInfo(uid: uid, utid: utid)
        }
        authorization.requestsClientInfo = authority.speaksEntra
        authorization.correlationID = authority.speaksEntra ? token.correlationID : nil
        authorization.extraParameters = token.extraQueryParameters
        return authorization.url
    }

    private func openBrowser(_ url: URL) async {
        context.reporter.started(.openBrowser, "Opening the sign-in page", authorizationURL: url)
        do {
            if let openURL = request.openURL {
                try await openURL(url)
            } else {
                try await context.dependencies.browser.open(url)
            }
            context.reporter.succeeded(.openBrowser, "The browser was started")
        } catch let failure as BrowserLaunchFailure {
            context.reporter.failed(.openBrowser, "\(failure.reason) Open the address by hand.")
        } catch {
            context.reporter.failed(.openBrowser, "\(error.localizedDescription) Open the address by hand.")
        }
    }

    private func wait(in session: WaitingSession) async throws -> URL {
        context.reporter.started(.waitForResponse, "Waiting for the browser to come back")
        do {
            let url = try await session.response()
            context.reporter.succeeded(.waitForResponse, "The browser came back")
            return url
        } catch {
            context.reporter.failed(.waitForResponse, "Cancelled")
            throw AuthenticationFailure.canceled
        }
    }

    private func redeemable(
        _ landing: Landing, from authority: ResolvedAuthority, _ secrets: OneTimeSecrets
    ) throws -> AuthorizationCode {
        let expectation = AuthorizationResponse.Expectation(
            state: secrets.state, issuer: authority.issuer.issuer(tenantID: nil),
            requiresIssuer: authority.configuration.promisesIssuerInResponse)
        let response: AuthorizationResponse
        do throws(AuthorizationResponse.Failure) {
            response = try AuthorizationResponse(callback: landing.url, expecting: expectation)
        } catch {
            throw AuthenticationFailure.badCallback(error)
        }
        switch response {
        case .code(let code, _, _): return AuthorizationCode(code: code, redirectURI: landing.redirectURI)
        case .refused(let refusal): throw AuthenticationFailure.refused(refusal)
        }
    }

    private func redeem(
        _ code: AuthorizationCode, at authority: ResolvedAuthority, _ secrets: OneTimeSecrets
    ) async throws -> TokenResponse {
        context.reporter.started(.redeemCode, "Redeeming the code at \(authority.tokenHost)")
        do {
            let response = try await context.requestToken(
                .authorizationCode(
                    code.code, redirectURI: code.redirectURI.absoluteString, verifier: secrets.verifier),
                at: authority, for: request.token)
            context.reporter.succeeded(.redeemCode, "The authority gave tokens")
            return response
        } catch {
            context.reporter.failed(.redeemCode, "The code was not redeemed")
            throw error
        }
    }

    private func checkAccount(_ outcome: TokenOutcome) throws {
        guard let wanted = request.token.account, wanted.homeAccountID != outcome.account.homeAccountID else { return }
        throw AuthenticationFailure.mismatchedAccount(
            expected: wanted.username, found: outcome.account.username)
    }
}

/// Where the browser landed, the redirect URI it was sent to, and who listened there.
private struct Landing {
    var url: URL
    var redirectURI: URL
    var receiver: (any OpenRedirectReceiver)?
}

private struct AuthorizationCode {
    var code: Secret
    var redirectURI: URL
}

extension RedirectURI {
    /// The same redirect URI where somebody really listens.
    fileprivate func at(_ url: URL?) -> RedirectURI {
        url.map { RedirectURI(url: $0, way: way, isBrokerCapable: isBrokerCapable) } ?? self
    }
}

extension MSALPromptType {
    fileprivate var wireValue: AuthorizationRequest.Prompt? {
        switch self {
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        case .promptIfNecessary: nil
        }
    }
}
