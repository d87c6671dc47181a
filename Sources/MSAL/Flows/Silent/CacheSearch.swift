import OAuthCore

/// The part of the cache that a silent request searches.
struct CacheSearch {
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

/// The refresh tokens in ADAL caches, for accounts without one in the token cache (docs/upstream-behaviour.md §4.6,
/// §4.11).
struct LegacyTokens: Sendable {
    let caches: @Sendable () -> [[UInt8]]
    let clientID: String

    /// The tokens of an account without duplicates, in the order of the caches. Ignores unreadable caches.
    func tokens(of account: AccountReference, environments: [String]? = nil) -> [ADALToken] {
        var seen: Set<Secret> = []
        return caches().flatMap { (try? ADALCache(parsing: $0))?.tokens ?? [] }.filter { token in
            token.belongs(to: account, client: clientID) && environments?.contains(token.environment) ?? true
                && seen.insert(token.refreshToken).inserted
        }
    }
}

extension CachedRefreshToken {
    init(_ token: ADALToken, homeAccountID: String) {
        key = CredentialKey(
            .refreshToken, homeAccountID: homeAccountID, environment: token.environment,
            client: token.clientID.lowercased())
        (secret, writtenAt) = (token.refreshToken, .distantPast)
        (familyID, target, originalNonce, expiresOn) = (nil, nil, nil, nil)
    }
}

extension ADALToken {
    /// Whether the token belongs to this client and account, by username, object ID or home account, ignoring case.
    package func belongs(to account: AccountReference, client: String) -> Bool {
        guard clientID.lowercased() == client.lowercased() else { return false }
        func same(_ left: String?, _ right: String?) -> Bool {
            guard let left, let right, !left.isEmpty else { return false }
            return left.lowercased() == right.lowercased()
        }
        return same(clientInfo?.homeAccountID, account.homeAccountID) || same(username, account.username)
            || same(objectID, account.objectID)
    }
}
