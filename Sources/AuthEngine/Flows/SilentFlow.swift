import Foundation
import OAuthCore

/// Gets a token without showing anything (msal-behaviours §5).
///
/// The ladder, top to bottom:
/// 1. Without an account, or signed out of this application: interaction is needed.
/// 2. Swap `common` and its like for the account's home tenant.
/// 3. A cached access token for at least these scopes that is good for a while yet: done, with no network and no write.
///    One that should be renewed (`refresh_in`) is kept for step 6; one that has expired is deleted.
/// 4. Without a refresh token: interaction is needed.
/// 5. Redeem the refresh token, judge the new ID token, save everything.
/// 6. If the authority or the network is down, the token kept in step 3 still serves.
/// 7. If the authority refuses, interaction is needed, unless asking the person would not mend it.
struct SilentFlow {
    let context: FlowContext
    let request: SilentRequest

    func run() async throws -> TokenOutcome {
        guard let account = request.token.account else {
            throw AuthenticationFailure.interactionRequired(.noAccount)
        }
        let credentials = try context.credentials(of: account.homeAccountID)
        guard !credentials.isSignedOut else { throw AuthenticationFailure.interactionRequired(.signedOut) }
        let search = CacheSearch(
            requested: request.token.authority, authority: request.token.authority.forAccount(account),
            credentials: credentials,
            environments: try await context.authorities.environments(of: request.token.authority))
        let cached = request.forceRefresh ? nil : try lookUp(search)
        if let cached, !cached.isDue { return cached.outcome }
        return try await refresh(search, fallback: cached?.outcome)
    }

    /// Step 3.
    private func lookUp(_ search: CacheSearch) throws -> CachedOutcome? {
        context.reporter.started(.readCache, "Looking for a cached token")
        guard let realm = search.realm,
            let token = search.accessToken(
                realm: realm, scopes: request.token.scopes,
                keyID: try context.confirmation(for: request.token.scheme)?.keyID)
        else {
            context.reporter.succeeded(.readCache, "No cached token for these scopes")
            return nil
        }
        let now = context.dependencies.time.now()
        guard token.isUsable(at: now, buffer: context.settings.tokenExpirationBuffer) else {
            context.reporter.succeeded(.readCache, "The cached token has expired")
            try context.delete(token.key)
            return nil
        }
        guard let outcome = context.cachedOutcome(token, search, realm: realm) else {
            context.reporter.succeeded(.readCache, "The cached token has no ID token beside it")
            return nil
        }
        let isDue = token.refreshOn.map { $0 <= now } ?? false
        context.reporter.succeeded(.readCache, isDue ? "The cached token is due for renewal" : "Found a cached token")
        return CachedOutcome(outcome: outcome, isDue: isDue)
    }

    /// Steps 4 to 7.
    private func refresh(_ search: CacheSearch, fallback: TokenOutcome?) async throws -> TokenOutcome {
        guard let refreshToken = search.credentials.refreshToken(environments: search.environments.all) else {
            throw AuthenticationFailure.interactionRequired(.noRefreshToken)
        }
        do {
            return try await redeem(refreshToken, search)
        } catch let failure as AuthenticationFailure where failure.isOutage {
            guard let fallback else { throw failure }
            return fallback
        } catch AuthenticationFailure.refused(let refusal) where !refusal.isBeyondInteraction {
            if refusal.saysTokenIsBad { try context.delete(refreshToken.key) }
            throw AuthenticationFailure.interactionRequired(.refused(refusal))
        }
    }

    private func redeem(_ refreshToken: CachedRefreshToken, _ search: CacheSearch) async throws -> TokenOutcome {
        let authority = try await context.authorities.resolve(search.authority)
        context.reporter.started(.refreshToken, "Asking \(authority.tokenHost) for a new token")
        let response: TokenResponse
        do {
            response = try await context.requestToken(
                .refreshToken(refreshToken.secret, redirectURI: context.settings.redirect.url.absoluteString),
                at: authority,
                for: request.token)
            context.reporter.succeeded(.refreshToken, "The authority gave a new token")
        } catch {
            context.reporter.failed(.refreshToken, "The authority gave no token")
            throw error
        }
        let previous = search.account(client: context.settings.clientID)
        let judged = try await context.judgeIDToken(of: response, from: authority, subject: previous?.subject)
        let outcome = try context.outcome(
            of: response, judged, from: authority, for: request.token, previous: previous)
        try context.save(outcome)
        return outcome
    }
}

private struct CachedOutcome {
    var outcome: TokenOutcome
    var isDue: Bool
}

extension CachedAccount {
    /// The subject of the home tenant's ID token: a refreshed one must be about the same (OpenID Connect Core §12.2).
    fileprivate var subject: String? {
        profiles.count == 1 ? profiles.first?.claims?["sub"]?.string : nil
    }
}

extension AuthenticationFailure {
    /// Nobody said no: the authority, or the way to it, is down.
    fileprivate var isOutage: Bool {
        switch self {
        case .network: true
        case .unexpectedStatus(let status, _, _): status >= 500
        case .metadata(_, .status(let status)): status >= 500
        default: false
        }
    }
}

extension OAuthErrorResponse {
    fileprivate var saysTokenIsBad: Bool {
        error.lowercased() == "invalid_grant" && suberror?.lowercased() == "bad_token"
    }
}
