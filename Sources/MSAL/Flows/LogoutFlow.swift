import Foundation
import KeyturnCrypto
import OAuthCore

/// Ends the browser session at the authority (docs/upstream-behaviour.md §8, step 5).
///
/// 1. Find the authority. Fail if it has no end-session endpoint.
/// 2. Create a `state`, listen, open the page and wait, as for a sign-in, but at most
///   ``UserFailure/signOutPatience``. An authority that doesn't know the redirect URI ends the session and stays on its own page.
/// 3. Succeed when the browser returns with this `state`, and also when the user declines (`access_denied`). Fail for
///   other errors and cancellation, although the tokens are already removed. A second attempt would have no ID token, so
///   the error names the page.
struct LogoutFlow: Sendable {
    let context: FlowContext
    let correlationID: UUID
    let extraQueryParameters: Parameters
    let access: BrowserVisit.Access
    /// The account's ID token, read before the account was removed.
    var idToken: Secret?

    func run() async throws {
        var page: URL?
        do {
            let authority = try await context.authorities.resolve(context.settings.authority)
            guard let endpoint = authority.configuration.endSessionEndpoint else {
                throw AuthenticationFailure.authority(.logoutEndpointMissing(authority.authority.url))
            }
            page = endpoint
            try await logOut(at: endpoint, of: authority)
        } catch let failure as AuthenticationFailure {
            throw AuthenticationFailure.authority(
                .signedOutOnlyHere(failure, host: context.settings.authority.environment, page: page))
        }
    }

    private func logOut(at endpoint: URL, of authority: ResolvedAuthority) async throws {
        let state = Base64URL.encode(context.dependencies.random.bytes(32))
        let visit = BrowserVisit(
            context: context, host: endpoint.hostAndPort, redirect: context.settings.redirect, state: Secret(state),
            purpose: "sign-out", correlationID: correlationID, access: access,
            overdue: .user(.signOutUnconfirmed(host: endpoint.hostAndPort)))
        let landing = try await visit.run { landing in
            var page = LogoutRequest(endpoint: endpoint, postLogoutRedirectURI: landing.absoluteString, state: state)
            page.idTokenHint = idToken
            page.clientID = authority.speaksEntra ? nil : context.settings.clientID
            if authority.speaksEntra {
                page.correlationID = correlationID
                page.clientMetadata = context.clientMetadata.library
                page.clientMetadata.replace(with: context.clientMetadata.application)
            }
            page.extraParameters = extraQueryParameters
            return .init(url: page.url)
        }
        await landing.receiver?.close()
        // Step 3. Only responses with this `state` get here.
        let response = AuthorizationResponse.parameters(of: landing.url)
        guard let rejection = OAuthErrorResponse(response), rejection.error.lowercased() != "access_denied" else {
            return
        }
        throw AuthenticationFailure.authority(
            .response(ResponseFailure(authorization: rejection, at: endpoint, in: response, hiding: [state])))
    }
}

/// Invalidates tokens that were removed from the cache at the authority (RFC 7009).
struct RevocationFlow {
    let context: FlowContext

    /// Returns the outcome. The tokens are removed already, so an error is only reported.
    func run(_ tokens: [RevocationRequest.Token]) async -> MSALRevocation {
        guard !tokens.isEmpty else { return .nothingToRevoke }
        do {
            return try await context.dependencies.finishing { try await revoke(tokens) }
        } catch {
            return .failed(MSALAuthenticationError(translating: error))
        }
    }

    private func revoke(_ tokens: [RevocationRequest.Token]) async throws -> MSALRevocation {
        var authority = try await context.authorities.resolve(context.settings.authority)
        guard let endpoint = authority.configuration.revocationEndpoint else { return .notOffered }
        for token in tokens {
            let sent = try await context.send(to: &authority, .revocation) { authority in
                RevocationRequest(
                    endpoint: authority.configuration.revocationEndpoint ?? endpoint,
                    clientID: context.settings.clientID, clientSecret: context.clientSecret(at: authority), token: token
                ).httpRequest
            }
            try context.translating(sent, from: .revocation, RevocationRequest.check)
        }
        return .revoked
    }
}

extension AccountCredentials {
    /// The tokens to revoke at a sign-out: the client's own refresh token, whose access tokens many servers revoke with it;
    /// without one, its access tokens. Tokens that other clients of the family share stay.
    func tokensToRevoke(environments: [String]) -> [RevocationRequest.Token] {
        let refreshTokens = refreshTokens(environments: environments).filter { $0.key.client == client }
        guard refreshTokens.isEmpty else { return refreshTokens.map { .init(.refreshToken, $0.secret) } }
        return ownAccessTokens(environments: environments).map { .init(.accessToken, $0.secret) }
    }
}
