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
        let idToken = search.credentials.idToken(realm: realm, environments: search.environments.all)
        guard idToken != nil || search.authority.kind == .openID,
            let account = search.account(client: settings.clientID),
            let profile = account.profiles.first(where: { $0.realm == realm })
        else { return nil }
        return TokenOutcome(
            accessToken: token.secret, expiresOn: token.expiresOn, scopes: token.scopes, idToken: idToken,
            claims: profile.claims, verdicts: { idToken.map { keptVerdicts($0, search) } ?? [] },
            account: account,
            profile: profile, authority: search.authority, isFromCache: true, grant: nil)
    }

    /// Judges a cached ID token by the documents that are kept, of whatever age: nobody is asked.
    private func keptVerdicts(_ idToken: Secret, _ search: CacheSearch) -> [Verdict] {
        guard let token = try? JWT(parsing: idToken.reveal()),
            let configuration = authorities.keptConfiguration(of: search.authority, search.environments)
                ?? authorities.keptConfiguration(of: search.requested, search.environments)
        else { return [] }
        var input = IDTokenRules.Input(
            token: token, issuer: configuration.issuer, clientID: settings.clientID,
            localTime: dependencies.time.now())
        input.keys = authorities.metadata.keptDocument(configuration.jwksURI) { try JWKSet(parsing: $0) }
        return IDTokenRules().judge(input)
    }
}
