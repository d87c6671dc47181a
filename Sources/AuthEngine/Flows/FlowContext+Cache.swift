import Foundation
import OAuthCore

/// The cache as the flows use it, with its failures as the engine's.
extension FlowContext {
    func credentials(of homeAccountID: String, includesApplication: Bool = false) throws -> AccountCredentials {
        try cached { cache throws(CredentialStoreFailure) in
            try cache.credentials(of: homeAccountID, includesApplication: includesApplication)
        }
    }

    /// Uses the cache; its failures are the engine's.
    func cached<Value>(_ work: (TokenCache) throws(CredentialStoreFailure) -> Value) throws -> Value {
        do throws(CredentialStoreFailure) {
            return try work(cache)
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }

    /// A cached access token with the ID token and the account beside it; `nil` when one of those is missing. Some
    /// OpenID providers never give an ID token for a device code, so there its absence is no loss.
    func cachedOutcome(_ token: CachedAccessToken, _ search: CacheSearch, realm: String) -> TokenOutcome? {
        let idToken = search.credentials.idToken(realm: realm, environments: search.environments.inCache)
        guard idToken != nil || search.authority.kind == .openID,
            let account = search.account(client: settings.clientID),
            let profile = account.profiles.first(where: { $0.realm == realm })
        else { return nil }
        let judge = KeptIDTokenJudge(
            metadata: authorities.metadata, authorities: [search.authority, search.requested],
            environments: search.environments, clientID: settings.clientID, time: dependencies.time)
        return TokenOutcome(
            accessToken: token.secret, expiresOn: token.expiresOn, scopes: token.scopes, idToken: idToken,
            claims: profile.claims, verdicts: { idToken.map(judge.verdicts) ?? [] },
            account: account,
            profile: profile, authority: search.authority, isFromCache: true, grant: nil)
    }
}
