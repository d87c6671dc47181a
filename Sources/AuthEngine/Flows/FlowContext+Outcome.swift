import Crypto
import Foundation
import OAuthCore

/// From a token response to accounts and cache entries (msal-behaviours §10).
extension FlowContext {
    func outcome(
        of response: TokenResponse, _ judged: JudgedIDToken?, from authority: ResolvedAuthority,
        for request: TokenRequestSnapshot, previous: CachedAccount? = nil, userInfo: IDTokenClaims? = nil
    ) throws -> TokenOutcome {
        let claims = judged?.token.claims ?? userInfo
        let identity = try SignedInIdentity(of: response, claims, from: authority, previous: previous)
        try checkTokenType(response, for: request.scheme)
        let keyID = try confirmation(for: request.scheme)?.keyID
        let now = dependencies.time.now()
        let scopes = response.scopes ?? request.scopes
        let grant = TokenGrant(
            homeAccountID: identity.homeAccountID, environment: authority.environments.preferredCache,
            realm: identity.realm,
            clientID: settings.clientID,
            accessToken: response.accessToken.map { secret in
                TokenGrant.AccessToken(
                    secret: secret, tokenType: response.tokenType ?? "Bearer", scopes: scopes,
                    expiresOn: now.addingTimeInterval(Double(response.expiresIn)),
                    extendedExpiresOn: response.extendedExpiresIn.map { now.addingTimeInterval(Double($0)) },
                    refreshOn: response.refreshIn.map { now.addingTimeInterval(Double($0)) }, keyID: keyID)
            },
            refreshToken: response.refreshToken, familyID: response.familyID, idToken: judged?.raw,
            account: identity.account, requestedAuthority: request.authority.url.absoluteString, receivedAt: now)
        let profile = CachedAccount.Profile(
            localAccountID: identity.account.localAccountID, realm: identity.realm,
            username: identity.account.username, isHome: identity.isHome,
            authorityType: identity.account.authorityType,
            claims: (claims?.all).map(ProfileClaims.read) ?? previousClaims(previous))
        return TokenOutcome(
            accessToken: response.accessToken, expiresOn: grant.accessToken?.expiresOn, scopes: scopes,
            idToken: judged?.raw, claims: (claims?.all).map(ProfileClaims.read), verdicts: { judged?.verdicts ?? [] },
            account: CachedAccount(
                homeAccountID: identity.homeAccountID, environment: authority.environments.preferredCache,
                username: identity.account.username, profiles: [profile]),
            profile: profile, authority: resulting(from: authority, claims, response), isFromCache: false, grant: grant,
            declined: declined(scopes, of: request))
    }

    /// Somebody else may have signed in than the account that was asked for.
    func checkAccount(_ outcome: TokenOutcome, for request: TokenRequestSnapshot) throws {
        guard let wanted = request.account, !wanted.is(outcome.account) else { return }
        throw AuthenticationFailure.mismatchedAccount(
            expected: wanted.username, found: outcome.account.username)
    }

    /// Whom to ask next time: the tenant that issued the tokens (msal-behaviours §2.1).
    private func resulting(
        from authority: ResolvedAuthority, _ claims: IDTokenClaims?, _ response: TokenResponse
    ) -> Authority {
        authority.authority.resulting(tenantID: claims?.tenantID, clientInfo: response.clientInfo)
    }

    private func declined(_ granted: Scopes, of request: TokenRequestSnapshot) -> AuthenticationFailure? {
        let declined = request.scopes.declined(granted: granted)
        guard !declined.isEmpty else { return nil }
        return .declinedScopes(granted: granted.withoutReserved.names, declined: declined.names)
    }

    private func previousClaims(_ previous: CachedAccount?) -> ProfileClaims? {
        previous?.profiles.first(where: \.isHome)?.claims
    }
}

extension TokenRequestSnapshot.Account {
    /// An account of an ADAL cache has no identifier yet: then the name has to do.
    fileprivate func `is`(_ other: CachedAccount) -> Bool {
        guard homeAccountID.isEmpty else { return homeAccountID == other.homeAccountID }
        return username?.lowercased() == other.username?.lowercased()
    }
}
