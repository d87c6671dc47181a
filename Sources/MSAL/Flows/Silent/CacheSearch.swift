import KeyturnSystem
import OAuthCore

/// The part of the cache that a silent request searches.
struct CacheSearch {
    /// The authority from the caller.
    var requested: Authority
    /// The authority that is responsible for the account.
    var authority: Authority
    var credentials: AccountCredentials
    var environments: ResolvedAuthority.Environments

    /// The realm of the tokens, or `nil` when only the authority knows it.
    var realm: String? {
        if let known = credentials.metadata?.realms[requested.url.absoluteString], authority == requested {
            return known
        }
        guard case .aad(.named(let tenant)) = authority.kind else { return nil }
        return tenant
    }

    func accessToken(realm: String, scopes: Scopes, keyID: String?, audience: String? = nil) -> CachedAccessToken? {
        credentials.accessToken(
            realm: realm, environments: environments.inCache, scopes: scopes, impliesEmail: authority.speaksEntra,
            keyID: keyID, audience: audience)
    }

    func account(client: String) -> CachedAccount? {
        CachedAccounts.list(in: credentials.records, clientID: client, onlySignedIn: false).first
    }
}

extension Authority {
    /// Replaces `common` and similar tenants by the account's home tenant (docs/upstream-behaviour.md §2.2).
    func forAccount(_ account: AccountReference) -> Authority {
        guard let tenant, let home = account.tenantID else { return self }
        switch tenant {
        case .common, .consumers: return resulting(tenantID: home, clientInfo: nil)
        case .organizations where home != Tenant.personalAccountsID: return resulting(tenantID: home, clientInfo: nil)
        case .organizations, .named: return self
        }
    }
}

/// State that the silent requests of one application share: requests in progress, remembered results and throttling.
package final class SilentRequests: Sendable {
    let running = SharedWork<SilentRequest, TokenOutcome>()
    let remembered = RememberedTokens()
    private let throttling = Locked(Throttling())
    private let lastAuthority = Locked<Authority?>(nil)

    package init() {}

    /// The authority as one value for consecutive accounts of a tenant, because each remembered result has it.
    func shared(_ authority: Authority) -> Authority {
        lastAuthority.withLock { last in
            if let last, last == authority { return last }
            last = authority
            return authority
        }
    }

    func throttling<Value>(_ work: (inout Throttling) -> Value) -> Value { throttling.withLock { work(&$0) } }
}
