import Foundation
import OAuthCore

/// Access to the token cache that throws ``AuthenticationFailure``.
extension FlowContext {
    func credentials(of homeAccountID: String, includesApplication: Bool = false) throws -> AccountCredentials {
        try cached { try $0.credentials(of: homeAccountID, includesApplication: includesApplication) }
    }

    /// Runs `work` on the cache and translates its errors.
    func cached<Value>(_ work: (TokenCache) throws -> Value) throws -> Value {
        try AuthenticationFailure.ofStore(try work(cache))
    }

    /// Runs `work` on the cache after a code or token was spent. Runs it again if the store has just set damage aside: it
    /// reports that only once, which must not cost the new tokens.
    func insisting<Value>(
        _ step: MSALFlowEvent.Step, _ work: (TokenCache) throws(CredentialStoreFailure) -> Value
    ) throws(CredentialStoreFailure) -> Value {
        do throws(CredentialStoreFailure) {
            return try work(cache)
        } catch  where error.mendsItself {
            reporter.noted(step, error.reason)
            return try work(cache)
        }
    }

    /// The same for work that throws ``AuthenticationFailure``.
    func insisting<Value>(_ step: MSALFlowEvent.Step, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch AuthenticationFailure.store(let failure) where failure.mendsItself {
            reporter.noted(step, failure.reason)
            return try await work()
        }
    }

    /// Makes sure that new tokens can be saved, before a code or token is spent on them.
    func roomForTokens() throws -> (any CredentialLease)? {
        try cached { try $0.store.reserveRoom() }
    }

    /// The outcome for a cached access token with its ID token and account, or `nil` if one is missing. OpenID accounts
    /// need no ID token, because some providers issue none for a device code.
    func cachedOutcome(_ token: CachedAccessToken, _ search: CacheSearch, realm: String) -> TokenOutcome? {
        let idToken = search.credentials.idToken(realm: realm, environments: search.environments.inCache)
        guard idToken != nil || !search.authority.speaksEntra,
            let account = search.account(client: settings.clientID),
            let profile = account.profiles.first(where: { $0.realm == realm })
        else { return nil }
        let judge = CachedIDTokenJudge(
            metadata: authorities.metadata, authorities: [search.authority, search.requested],
            environments: search.environments, clientID: settings.clientID, time: dependencies.time)
        return TokenOutcome(
            accessToken: token.secret, expiresOn: token.expiresOn.ifStated,
            signInExpiry: search.credentials.signInExpiry?.ifCounted(by: dependencies.time.now()),
            scopes: token.scopes, idToken: idToken,
            claims: profile.claims, verdicts: { [unverified] in idToken.map(judge.verdicts) ?? unverified },
            account: account,
            profile: profile, authority: search.authority, isFromCache: true, grant: nil)
    }
}
