import Foundation
import KeyturnCrypto
import OAuthCore

/// Conversion of token responses to accounts and cache entries (docs/upstream-behaviour.md §10).
extension FlowContext {
    /// `refreshToken` is the one that was redeemed (`nil` after a sign-in), with the nonce of its sign-in and its scopes: a response
    /// without scopes grants these, or after a sign-in the requested ones (RFC 6749 §5.1, §6). `exchanged` is the token of a
    /// managed server, in the place of the response's.
    func outcome(
        of response: TokenResponse, _ judged: JudgedIDToken?, from authority: ResolvedAuthority,
        for request: TokenRequestSnapshot, previous: CachedAccount? = nil, userInfo: IDTokenClaims? = nil,
        namedBy names: IDTokenClaims? = nil, refreshToken: Secret? = nil, originalNonce: String? = nil,
        granted: Scopes? = nil, exchanged: Result<TokenResponse, AuthenticationFailure>? = nil
    ) throws -> TokenOutcome {
        let claims = judged?.token.claims ?? userInfo
        var identity = try SignedInIdentity(
            of: response, claims, from: authority, previous: previous, resource: settings.resource)
        try checkTokenType(response, for: request.scheme)
        let keyID = try confirmation(for: request.scheme)?.keyID
        if let names { identity.profile.name(by: names) }
        if !authority.speaksEntra {
            identity.profile.keepUsername(try knownUsername(identity.homeAccountID, previous), claims)
        }
        let now = dependencies.time.now()
        let ownScopes = response.scopes ?? granted ?? request.requestedScopes
        let issued = try? (exchanged ?? .success(response)).get()
        let scopes = exchanged == nil ? ownScopes : issued?.scopes ?? request.resourceScopes
        let grant = TokenGrant(
            homeAccountID: identity.homeAccountID, environment: authority.environments.preferredCache,
            clientID: settings.clientID,
            accessToken: issued.flatMap { issued in
                issued.accessToken.map { secret in
                    TokenGrant.AccessToken(
                        secret: secret, tokenType: issued.tokenType ?? "Bearer", scopes: scopes,
                        expiresOn: expiry(of: issued, from: authority, at: now),
                        extendedExpiresOn: issued.extendedExpiresIn.map { now.addingTimeInterval(Double($0)) },
                        refreshOn: issued.refreshIn.map { now.addingTimeInterval(Double($0)) }, keyID: keyID,
                        audience: settings.audience, realm: settings.managedServer?.realm)
                }
            },
            refreshToken: response.refreshToken,
            refreshTokenExpiresOn: response.refreshTokenExpiresIn.map { now.addingTimeInterval(Double($0)) },
            refreshScopes: authority.speaksEntra ? nil : ownScopes,
            originalNonce: refreshToken == nil ? judged?.token.claims.nonce : originalNonce,
            spentRefreshToken: refreshToken, familyID: response.familyID, idToken: judged?.raw,
            profile: identity.profile, clientInfo: identity.clientInfo,
            requestedAuthority: request.authority.url.absoluteString, receivedAt: now)
        return TokenOutcome(
            accessToken: issued?.accessToken, expiresOn: grant.accessToken?.expiresOn.ifStated,
            signInExpiry: grant.refreshTokenExpiresOn.map {
                MSALSignInExpiry(date: $0, countedFrom: now, basis: .stated)
            },
            scopes: scopes, idToken: judged?.raw, claims: (claims?.all).map(ProfileClaims.read),
            verdicts: { [unverified] in judged?.verdicts ?? unverified },
            account: CachedAccount(
                homeAccountID: identity.homeAccountID, environment: authority.environments.preferredCache,
                username: identity.profile.username, profiles: [identity.profile]),
            profile: identity.profile,
            // For the next request: the tenant that issued the tokens (docs/upstream-behaviour.md §2.1).
            authority: authority.authority.resulting(tenantID: claims?.tenantID, clientInfo: response.clientInfo),
            isFromCache: false, grant: grant,
            declined: exchanged?.failure ?? declined(scopes, of: request, impliesEmail: authority.speaksEntra))
    }

    /// The expiry of the access token. Without `expires_in` and a refresh token, an OAuth server's or a resource's token doesn't
    /// expire; other authorities just leave it out.
    private func expiry(of response: TokenResponse, from authority: ResolvedAuthority, at now: Date) -> Date {
        let mayStay = authority.authority.oauthServer != nil || settings.resource?.usesConfiguredAuthority == false
        if !response.statesLifetime, response.refreshToken == nil, mayStay { return .unstatedExpiry }
        return now.addingTimeInterval(Double(response.expiresIn))
    }

    /// The verdicts on an account without an ID token: nothing was verified.
    var unverified: [Verdict] {
        guard settings.resource != nil || settings.authority.oauthServer != nil else { return [] }
        return [
            Verdict(
                .signature, .skipped,
                "No ID token: the server doesn't support OpenID Connect, so the user isn't verified.")
        ]
    }

    /// What the server says about the user without an ID token: for an OAuth server, the account that the configuration or the
    /// userinfo endpoint describes; for a resource's server, the userinfo endpoint, else the subject in an access token that
    /// the server itself just issued. `nil` if neither names the user.
    func identity(
        _ judged: JudgedIDToken?, _ response: TokenResponse, at authority: inout ResolvedAuthority
    ) async throws -> IDTokenClaims? {
        guard judged == nil else { return nil }
        if authority.authority.oauthServer != nil { return try await userInfo(judged, response, at: &authority) }
        guard settings.resource != nil else { return nil }
        if response.scopes?.contains("openid") == true,
            let claims = try? await userInfo(judged, response, at: &authority)
        {
            return claims
        }
        guard let token = response.accessToken.flatMap({ try? JWT(parsing: $0.reveal()) }),
            token.claims.issuer == authority.issuer.text, let subject = token.payload["sub"]
        else { return nil }
        return IDTokenClaims(["sub": subject])
    }

    /// The claims that name the user, of the userinfo endpoint, if the ID token has only a subject. The tokens are issued, so a
    /// failure only leaves the subject as the name. Claims of another subject are ignored (OpenID Connect Core §5.3.2).
    func names(
        _ judged: JudgedIDToken?, _ response: TokenResponse, at authority: inout ResolvedAuthority
    ) async -> IDTokenClaims? {
        guard let claims = judged?.token.claims, !claims.namesUser, settings.resource == nil else { return nil }
        let found = try? await userInfo(nil, response, at: &authority)
        return found?.subject == claims.subject ? found : nil
    }

    private func knownUsername(_ homeAccountID: String, _ previous: CachedAccount?) throws -> String? {
        if let previous { return previous.username }
        return try known { cache throws(CredentialStoreFailure) in
            try cache.accounts([homeAccountID], onlySignedIn: false)
        }.first?.username
    }

    private func known(
        _ find: (TokenCache) throws(CredentialStoreFailure) -> [CachedAccount]
    ) throws -> [CachedAccount] {
        try cached { _ in try insisting(.saveTokens, find) }
    }

    /// Adds the account's granted scopes to a sign-in request. Outside Microsoft Entra ID a refresh token covers only
    /// the scopes of its own sign-in, so a sign-in for one more scope would lose the others (docs/decisions/0048).
    func keepingGrant(_ request: TokenRequestSnapshot, at authority: ResolvedAuthority) throws -> TokenRequestSnapshot {
        guard !authority.speaksEntra, let account = try request.account?.homeAccountID ?? onlyAccountOfResource(),
            !account.isEmpty
        else { return request }
        let known = try cached { try $0.credentials(of: account) }
        let environments = authority.environments.inCache
        var request = request
        request.grantedScopes = known.refreshTokens(environments: environments).compactMap(\.scopes)
            .reduce(known.accessTokenScopes(environments: environments)) { $0.union($1) }
        return request
    }

    /// The account of the resource, if there is one: a second sign-in without a name is probably the same user's.
    private func onlyAccountOfResource() throws -> String? {
        guard let mark = settings.resource?.mark else { return nil }
        let query = CredentialQuery(kinds: [.refreshToken], client: settings.clientID.lowercased())
        let tokens = try cached { try $0.store.records(matching: query) }
        let accounts = Set(tokens.map(\.key.homeAccountID).filter { $0.contains(mark) })
        return accounts.count == 1 ? accounts.first : nil
    }

    /// Throws when another user signed in than requested. Called before anything is saved.
    func checkAccount(_ outcome: TokenOutcome, for request: TokenRequestSnapshot) throws {
        let found = outcome.account
        if let wanted = request.account, !wanted.is(found) {
            throw AuthenticationFailure.user(
                .mismatchedAccount(
                    expected: Self.name(wanted.username, wanted.homeAccountID, besides: found.username),
                    found: Self.name(found.username, found.homeAccountID, besides: wanted.username)))
        }
        guard let user = request.requiredUser, !(try isMeant(found, by: user)) else { return }
        throw AuthenticationFailure.user(
            .mismatchedAccount(expected: user, found: found.username ?? found.homeAccountID))
    }

    /// With the identifier when both accounts of a message have the same username.
    private static func name(_ username: String?, _ identifier: String, besides other: String?) -> String {
        guard let username else { return identifier }
        return username.lowercased() == other?.lowercased() ? "\(username) (\(identifier))" : username
    }

    /// Also compares cached usernames, because a response may use another claim.
    private func isMeant(_ account: CachedAccount, by user: String) throws -> Bool {
        if account.isKnown(as: user) { return true }
        return try known { cache throws(CredentialStoreFailure) in
            try cache.accounts(username: user, onlySignedIn: false)
        }.contains { $0.homeAccountID == account.homeAccountID }
    }

    private func declined(
        _ granted: Scopes, of request: TokenRequestSnapshot, impliesEmail: Bool
    ) -> AuthenticationFailure? {
        let declined = request.scopes.missing(from: granted, impliesEmail: impliesEmail)
        guard !declined.isEmpty else { return nil }
        return .authority(.declinedScopes(granted: granted.withoutReserved.names, declined: declined.names))
    }

    /// The key that the tokens of a scheme are bound to, or `nil` for bearer tokens.
    func confirmation(for scheme: TokenScheme) throws -> TokenConfirmation? {
        guard case .pop = scheme else { return nil }
        return TokenConfirmation(keyID: try proofKey().publicKey.thumbprint)
    }

    /// With the text that a resource expects as access token. A bound token is signed again for each request.
    func presented(_ outcome: TokenOutcome, by scheme: TokenScheme) throws -> TokenOutcome {
        guard case .pop(let bound) = scheme, let accessToken = outcome.accessToken else { return outcome }
        let request = SignedHTTPRequest(
            accessToken: accessToken, method: bound.method, url: bound.url,
            nonce: bound.nonce ?? dependencies.random.uuid().uuidString, issuedAt: dependencies.time.now())
        let key = try proofKey()
        var outcome = outcome
        do { outcome.accessToken = try request.signed(with: key) } catch {
            throw AuthenticationFailure.machine(.proofKey(ProofKeyFailure(reason: "The token's key can't sign.")))
        }
        outcome.schemeName = scheme.name
        return outcome
    }

    /// Throws when the token type isn't the requested one, because the resource would reject the token.
    func checkTokenType(_ response: TokenResponse, for scheme: TokenScheme) throws {
        guard response.accessToken != nil, let type = response.tokenType?.lowercased() else { return }
        // Slack calls a user's bearer token so (oauth.v2.user.access).
        guard type != scheme.name.lowercased(), scheme != .bearer || type != "user" else { return }
        throw AuthenticationFailure.authority(
            .malformedResponse(.otherTokenType(expected: scheme.name, found: response.tokenType)))
    }

    private func proofKey() throws -> PrivateKey {
        do { return try dependencies.proofKeys.key() } catch { throw AuthenticationFailure.machine(.proofKey(error)) }
    }
}

extension AccountReference {
    /// An account of an ADAL cache has no identifier and is compared by username.
    fileprivate func `is`(_ other: CachedAccount) -> Bool {
        guard homeAccountID.isEmpty else { return homeAccountID == other.homeAccountID }
        return username?.lowercased() == other.username?.lowercased()
    }
}
