import Foundation
import OAuthCore

/// Gets a token without user interaction (docs/upstream-behaviour.md §5).
///
/// 1. Find an account with only a username by name in the cache, else in the ADAL caches. Require interaction without
///   an account, or if it signed out of this application.
/// 2. Replace `common` and similar tenants by the account's home tenant.
/// 3. Unless a new token is requested (`forceRefresh`, a claims request), return a cached access token with these
///   scopes, its ID token and its account. No network, no write. A token that is due for refresh (`refresh_in`), expires
///   soon or is within its extended lifetime is kept for step 8; other expired tokens are deleted. A request of the cache alone
///   ends here, and also returns an expired token.
/// 4. Join an identical request in progress, and wait for another process that refreshes this account. Then read the
///   cache again. A token that was cached in the meantime is new, so it's returned even if a new one is requested or if it
///   expires soon, but not for a claims request, which the other process may not have made.
/// 5. Use the identity broker if it is available and knows the account. If it fails, continue with the application's
///   own refresh token if that is allowed.
/// 6. Find the authority. Never send tokens to another cloud.
/// 7. Make sure that there is room for new tokens. Redeem the client's refresh token; if it is rejected, the family's;
///   without either, ADAL's. Outside Microsoft Entra ID, scopes that weren't granted require interaction (RFC 6749 §6).
///   Throttling prevents a repeated failure, and an endpoint that moved is looked up again. Validate the new ID token and save
///   everything. If saving fails, return the new token with the reason. Cancellation doesn't interrupt this step
///   (``Dependencies/finishing(_:)``).
/// 8. If the refresh fails, return the token from step 3 while it is valid, whatever the reason. One within its extended
///   lifetime is only for an authority or network that is unavailable.
/// 9. If the authority rejects the request, require a sign-in unless it would fail too (``ResponseFailure``). Record in
///   the cache what the error says about the token, family or account.
struct SilentFlow {
    let context: FlowContext
    let request: SilentRequest

    func run() async throws -> TokenOutcome {
        guard !request.token.requiresSignIn else { throw AuthenticationFailure.needsSignIn(.stepUp) }
        let account = try account()
        let search = try await search(for: account)
        guard !request.usesOnlyCache else { return try onlyCached(search) }
        let first = try lookUp(search)
        if case .good(let outcome) = first { return outcome }
        // Read now, because the lookup has deleted expired tokens together with their scopes.
        let known = search.credentials.accessTokenScopes(environments: search.environments.inCache)
        return try await fallingBack(on: first) {
            try await shared {
                try await context.refreshingAlone(account.homeAccountID) {
                    try await refreshed(for: account, after: first, in: search.credentials, knownScopes: known)
                }
            }
        }
    }

    /// Step 8.
    private func fallingBack(
        on cached: CachedResult, _ refresh: () async throws -> TokenOutcome
    ) async throws -> TokenOutcome {
        do {
            return try await refresh()
        } catch let failure as AuthenticationFailure {
            let now = context.dependencies.time.now()
            // What became of a changed request is what the user wants to see.
            guard !context.isChanged, let outcome = cached.fallback(after: failure, at: now) else { throw failure }
            return outcome
        }
    }

    private func refreshed(
        for account: AccountReference, after first: CachedResult, in old: AccountCredentials, knownScopes: Scopes
    ) async throws -> TokenOutcome {
        let search = try await search(for: account, includesApplication: true)
        let cached = try find(search).result
        if case .good(let outcome) = cached { return outcome }
        if let outcome = try refreshedByAnother(search, old) { return outcome }
        return try await fallingBack(on: cached) {
            do {
                if let outcome = try await brokered(search, account) { return outcome }
                if let outcome = try await exchanged(search, account) { return outcome }
                return try await refresh(search, of: account, knownScopes, cached.use(after: first))
            } catch let failure as AuthenticationFailure { throw failure.inSilence(for: account) }
        }
    }

    private func account() throws -> AccountReference {
        guard let account = request.token.account else { throw AuthenticationFailure.needsSignIn(.noAccount) }
        return account.homeAccountID.isEmpty ? try named(account) : account
    }

    /// The cached account with this name, even if it signed out, so that ADAL's token doesn't sign it in again.
    private func named(_ account: AccountReference) throws -> AccountReference {
        guard let name = account.username else { return account }
        let known = try context.cached { try $0.accounts(username: name, onlySignedIn: false) }
        guard let known = known.first else { return account }
        return AccountReference(MSALAccount(known, includesProfiles: false)) ?? account
    }

    /// Steps 1 and 2.
    private func search(for account: AccountReference, includesApplication: Bool = false) async throws -> CacheSearch {
        let credentials = try context.cached {
            try $0.credentials(of: account.homeAccountID, includesApplication: includesApplication)
        }
        guard !credentials.isSignedOut else { throw AuthenticationFailure.needsSignIn(.signedOut) }
        return CacheSearch(
            requested: request.token.authority,
            authority: context.silentRequests.shared(request.token.authority.forAccount(account)),
            credentials: credentials,
            environments: request.usesOnlyCache
                ? context.authorities.cachedEnvironments(of: request.token.authority)
                : try await context.authorities.environments(of: request.token.authority))
    }

    /// Step 3 of a request of the cache alone.
    private func onlyCached(_ search: CacheSearch) throws -> TokenOutcome {
        guard let (token, realm) = try cachedToken(search),
            let outcome = context.cachedOutcome(token, search, realm: realm)
        else { throw AuthenticationFailure.needsSignIn(.noAccessToken) }
        return outcome
    }

    /// Step 3, with events.
    private func lookUp(_ search: CacheSearch) throws -> CachedResult {
        context.reporter.started(.readCache, "Looking for a cached token")
        do {
            let (result, spent) = try find(search)
            if let spent { try context.cached { try $0.delete(spent) } }
            context.reporter.succeeded(.readCache, result.explanation)
            return result
        } catch {
            context.reporter.failed(.readCache, "The token cache failed")
            throw error
        }
    }

    /// Step 3. `spent`: an expired token to delete.
    private func find(_ search: CacheSearch) throws -> (result: CachedResult, spent: CachedAccessToken?) {
        guard !request.forceRefresh, request.token.claims.isEmpty else { return (.notWanted, nil) }
        guard let (token, realm) = try cachedToken(search) else { return (.nothing, nil) }
        let now = context.dependencies.time.now()
        let outcome = context.cachedOutcome(token, search, realm: realm)
        if token.isUsable(at: now, buffer: 0) {
            guard var outcome else { return (.nothing, nil) }
            guard token.isUsable(at: now, buffer: context.settings.tokenExpirationBuffer) else {
                return (.due(outcome, .expired), nil)
            }
            if let refreshOn = token.refreshOn, refreshOn <= now { return (.due(outcome, .due), nil) }
            let expiry = token.refreshDate(buffer: context.settings.tokenExpirationBuffer)
            outcome.isGoodUntil = min(expiry, token.refreshOn ?? expiry)
            return (.good(outcome), nil)
        }
        if context.settings.extendsLifetime, token.extendedExpiresOn ?? now > now, token.cachedAt <= now, var outcome {
            (outcome.expiresOn, outcome.isExtendedLifetime) = (token.extendedExpiresOn, true)
            return (.expired(inOutage: outcome), nil)
        }
        return (.expired(inOutage: nil), spent: token)
    }

    /// The cached access token with the requested scopes, even if it expired.
    private func cachedToken(_ search: CacheSearch) throws -> (token: CachedAccessToken, realm: String)? {
        guard let realm = search.realm else { return nil }
        let keyID = try context.confirmation(for: request.token.scheme)?.keyID
        return search.accessToken(
            realm: context.settings.managedServer?.realm ?? realm, scopes: request.token.scopes, keyID: keyID,
            audience: context.settings.audience
        ).map { ($0, realm) }
    }

    /// A valid token that was cached while this request waited: another process has refreshed it.
    private func refreshedByAnother(_ search: CacheSearch, _ old: AccountCredentials) throws -> TokenOutcome? {
        guard request.token.claims.isEmpty, let (token, realm) = try cachedToken(search), !old.contains(token.secret),
            token.isUsable(at: context.dependencies.time.now(), buffer: 0)
        else { return nil }
        return context.cachedOutcome(token, search, realm: realm)
    }

    /// Step 4.
    private func shared(_ work: @escaping @Sendable () async throws -> TokenOutcome) async throws -> TokenOutcome {
        // A person may hold it for long.
        guard context.hold == nil else { return try await work() }
        return try await context.silentRequests.running.value(for: request.identity, work)
    }

    /// Step 5. Returns `nil` to continue with the next step.
    private func brokered(
        _ search: CacheSearch, _ account: AccountReference
    ) async throws -> TokenOutcome? {
        do {
            return try await BrokerFlow(context: context).refresh(request, for: account, search)
        } catch let failure as AuthenticationFailure
            where failure.isOfBroker && request.mayRefreshInBrokersPlace && !refreshTokens(search, account).isEmpty
        {
            return nil
        }
    }

    func refreshTokens(_ search: CacheSearch, _ account: AccountReference) -> [CachedRefreshToken] {
        let tokens = search.credentials.refreshTokens(environments: search.environments.inCache)
        guard tokens.isEmpty else { return tokens }
        return context.legacy.tokens(of: account, environments: search.environments.inCache)
            .map { CachedRefreshToken($0, homeAccountID: account.homeAccountID) }
    }

    /// Steps 6 and 7. Throws the first error when every refresh token is rejected.
    private func refresh(
        _ search: CacheSearch, of account: AccountReference, _ knownScopes: Scopes,
        _ cacheUse: RequestTelemetry.CacheUse
    ) async throws -> TokenOutcome {
        let tokens = refreshTokens(search, account).map { (token: $0, granted: $0.scopes ?? knownScopes) }
        try checkAuthority(search)
        guard let first = tokens.first else { throw AuthenticationFailure.needsSignIn(.noRefreshToken) }
        try checkGranted(first.granted, at: search.authority)
        let authority = try await context.authorities.resolve(search.authority)
        // Only now is the issuer known for certain.
        try checkAuthority(search)
        try authority.requireOwnCloud()
        return try await context.dependencies.finishing { try await redeem(tokens, at: authority, search, cacheUse) }
    }

    private func redeem(
        _ tokens: [(token: CachedRefreshToken, granted: Scopes)], at authority: ResolvedAuthority,
        _ search: CacheSearch, _ cacheUse: RequestTelemetry.CacheUse
    ) async throws -> TokenOutcome {
        var authority = authority
        var rejections: [AuthenticationFailure] = []
        for (token, granted) in tokens {
            do {
                return try await redeem(token, granted, at: &authority, search, cacheUse)
            } catch let failure as AuthenticationFailure {
                // A managed server's refusal says nothing of the refresh token.
                let isOfRefresh = failure.response.map { $0.endpoint == .refresh } ?? true
                guard failure.kind == .signInRequired, isOfRefresh else { throw failure }
                if let rejection = failure.rejection { try heed(rejection, of: token) }
                rejections.append(failure)
            }
        }
        throw rejections.first ?? .user(.interactionRequired(.noRefreshToken))
    }

    /// The refresh token of another authority's account must not be sent to this one, which can be at the same host.
    func checkAuthority(_ search: CacheSearch) throws {
        let authority = request.token.authority
        guard let account = search.account(client: context.settings.clientID),
            !authority.speaksEntra || ResolvedAuthority.fingerprint(in: account.homeAccountID) != nil
        else { return }
        func places() throws -> [String] {
            try context.cached { try $0.authorities(of: account.homeAccountID) }
        }
        let isOwn = try context.authorities.recognition(of: authority)(
            account.environment, account.homeAccountID, places)
        // An account that another program saved can have any identifier.
        guard !isOwn, let other = try places().first else { return }
        throw AuthenticationFailure.caller(
            .accountOfAnotherAuthority(environment: other, host: authority.url.absoluteString))
    }

    /// Outside Microsoft Entra ID there are no client families, so only one refresh token.
    private func checkGranted(_ granted: Scopes, at authority: Authority) throws {
        guard !authority.speaksEntra, !request.token.isForManagedServer else { return }
        let missing = request.token.scopes.missing(from: granted, impliesEmail: false)
        guard missing.isEmpty else { throw AuthenticationFailure.needsSignIn(.scopesNotGranted(missing.names)) }
    }

    private func redeem(
        _ refreshToken: CachedRefreshToken, _ granted: Scopes, at authority: inout ResolvedAuthority,
        _ search: CacheSearch, _ cacheUse: RequestTelemetry.CacheUse
    ) async throws -> TokenOutcome {
        let room = try context.roomForTokens()
        context.reporter.started(.refreshToken, "Requesting a new token from \(authority.tokenHost)")
        let response: TokenResponse
        do {
            response = try await context.requestTokenUnlessThrottled(
                .refreshToken(refreshToken.secret, redirectURI: context.settings.redirect.url.absoluteString),
                at: &authority, for: request.token, cacheUse: cacheUse)
            context.reporter.succeeded(.refreshToken, "The authority issued a new token")
        } catch {
            let isRepeated = if case .authority(.throttled) = error as? AuthenticationFailure { true } else { false }
            context.reporter.failed(
                .refreshToken, isRepeated ? "The earlier error is repeated, without a request" : "The refresh failed")
            throw error
        }
        let outcome: TokenOutcome
        do {
            outcome = try await self.outcome(of: response, refreshToken, granted, at: authority, search)
        } catch let failure as AuthenticationFailure {
            guard let new = response.refreshToken else { throw failure }
            room?.release()
            // Without the keys, nothing is wrong with the tokens: the next refresh has an ID token of its own.
            if failure.kind == .unavailable, (try? context.cache.replace(refreshToken, by: new)) == true {
                throw failure
            }
            throw AuthenticationFailure.authority(.refreshLost(failure))
        }
        let completed = try context.complete(refresh: outcome, for: request.token, in: room)
        // Kept, because it replaced the one that was spent, so the next request can use it.
        guard response.hasTokens else { throw AuthenticationFailure.authority(.malformedResponse(.noTokens)) }
        if request.token.isForManagedServer, completed.accessToken == nil, let failure = completed.declined {
            throw failure
        }
        return completed
    }

    private func outcome(
        of response: TokenResponse, _ refreshToken: CachedRefreshToken, _ granted: Scopes,
        at authority: ResolvedAuthority, _ search: CacheSearch
    ) async throws -> TokenOutcome {
        let previous = search.account(client: context.settings.clientID)
        let judged = try await context.judgeIDToken(
            of: response, from: authority, originalNonce: refreshToken.originalNonce, previous: previous)
        var authority = authority
        let exchanged = await context.exchanged(judged?.raw, at: &authority, for: request.token)
        return try context.outcome(
            of: response, judged, from: authority, for: request.token, previous: previous,
            refreshToken: refreshToken.secret, originalNonce: refreshToken.originalNonce,
            granted: authority.speaksEntra ? nil : granted, exchanged: exchanged)
    }

    /// Step 9: updates the cache after an error.
    private func heed(_ rejection: OAuthErrorResponse, of token: CachedRefreshToken) throws {
        let lifetime = StatedLifetime(in: rejection, at: context.dependencies.time.now())
        try context.cached { cache in
            // Only for lists, so its failure must not replace the reason to sign in.
            if let lifetime, token.familyID == nil { try? cache.note(lifetime, of: token.key.homeAccountID) }
            if rejection.saysTokenIsBad(fromEntra: request.token.authority.speaksEntra) { try cache.delete(token) }
            if rejection.saysAccountIsDeleted { try cache.forget(homeAccountID: token.key.homeAccountID) }
            if rejection.suberror?.lowercased() == "client_mismatch", token.familyID != nil {
                try cache.noteOutsideFamily(environment: token.key.environment)
            }
        }
    }
}

/// The result of step 3. Indirect, because the compiler writes code for each way to copy it.
private indirect enum CachedResult {
    case good(TokenOutcome)
    /// A valid token that is due for refresh or expires soon.
    case due(TokenOutcome, RequestTelemetry.CacheUse)
    case expired(inOutage: TokenOutcome?)
    case nothing, notWanted

    /// The token to return after a failed refresh. A valid token stays valid whatever the reason was, unless nobody waits for it
    /// any more or the account has signed out meanwhile.
    func fallback(after failure: AuthenticationFailure, at now: Date) -> TokenOutcome? {
        guard failure.kind != .canceled, failure != .user(.interactionRequired(.signedOut)) else { return nil }
        let outcome: TokenOutcome? =
            switch self {
            case .good(let outcome), .due(let outcome, _): outcome
            case .expired(let outcome): failure.kind == .unavailable ? outcome : nil
            case .nothing, .notWanted: nil
            }
        return outcome.flatMap { $0.expiresOn ?? .distantFuture > now ? $0 : nil }
    }

    /// The reason for the token request. Uses the first lookup when the second found nothing, because the first deletes
    /// expired tokens.
    func use(after first: CachedResult) -> RequestTelemetry.CacheUse {
        if case .nothing = self { return first.use }
        return use
    }

    private var use: RequestTelemetry.CacheUse {
        switch self {
        case .good: .notRequested
        case .due(_, let use): use
        case .expired: .expired
        case .nothing: .noToken
        case .notWanted: .newTokenWanted
        }
    }

    var explanation: String {
        switch self {
        case .good: "Found a cached token"
        case .due(_, .expired): "The cached token expires too soon"
        case .due: "The cached token is due for refresh"
        case .expired(inOutage: nil): "The cached token has expired, so it is removed"
        case .expired: "The cached token has expired"
        case .nothing: "No cached token fits this request"
        case .notWanted: "Cached token not used: the request requires a new one"
        }
    }
}
