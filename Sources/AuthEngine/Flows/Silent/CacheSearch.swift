import OAuthCore

/// Where in the cache a silent request looks.
struct CacheSearch {
    /// As the caller named it.
    var requested: Authority
    /// The one that answers for this account.
    var authority: Authority
    var credentials: AccountCredentials
    var environments: ResolvedAuthority.Environments

    /// The realm the tokens of an authority are kept under; `nil` when only the authority could tell.
    var realm: String? {
        if let known = credentials.metadata?.realms[requested.url.absoluteString], authority == requested {
            return known
        }
        guard case .aad(.named(let tenant)) = authority.kind else { return nil }
        return tenant
    }

    func accessToken(realm: String, scopes: Scopes, keyID: String?) -> CachedAccessToken? {
        credentials.accessToken(
            realm: realm, environments: environments.inCache, scopes: scopes, impliesEmail: authority.speaksEntra,
            keyID: keyID)
    }

    func account(client: String) -> CachedAccount? {
        CachedAccounts.list(in: credentials.records, clientID: client, onlySignedIn: false).first
    }
}

extension Authority {
    /// `common` and its like stand for the home tenant once the account is known (docs/upstream-behaviour.md §2.2).
    func forAccount(_ account: TokenRequestSnapshot.Account) -> Authority {
        guard let tenant, let home = account.tenantID else { return self }
        switch tenant {
        case .common, .consumers: return resulting(tenantID: home, clientInfo: nil)
        case .organizations where home != Tenant.personalAccountsID: return resulting(tenantID: home, clientInfo: nil)
        case .organizations, .named: return self
        }
    }
}
