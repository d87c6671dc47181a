import OAuthCore

/// Refresh tokens that ADAL left behind, for who has none in the token cache (docs/upstream-behaviour.md §4.6, §4.11).
struct LegacyTokens: Sendable {
    /// The caches, read when they are needed.
    let caches: @Sendable () -> [[UInt8]]
    let clientID: String

    /// Each once, in the order of the caches. What cannot be read holds nobody.
    func tokens(
        of account: TokenRequestSnapshot.Account, environments: [String]? = nil
    ) -> [ADALToken] {
        var seen: Set<Secret> = []
        return all.filter { token in
            token.belongs(to: account, client: clientID)
                && environments.map { $0.contains(token.environment) } ?? true
                && seen.insert(token.refreshToken).inserted
        }
    }

    /// This client's tokens.
    var all: [ADALToken] {
        caches().flatMap { (try? ADALCache(parsing: $0))?.tokens ?? [] }
            .filter { $0.clientID.lowercased() == clientID.lowercased() }
    }
}

extension CachedRefreshToken {
    /// An ADAL token in the form that the flows redeem. It stands under no key of the cache.
    init(_ token: ADALToken, homeAccountID: String) {
        key = CredentialKey(
            .refreshToken, homeAccountID: homeAccountID, environment: token.environment,
            client: token.clientID.lowercased())
        secret = token.refreshToken
        familyID = nil
        writtenAt = .distantPast
        scopes = nil
    }
}

extension ADALToken {
    /// Whether it is this client's token of this person: by name, object ID or home account, without regard to case.
    package func belongs(to account: TokenRequestSnapshot.Account, client: String) -> Bool {
        guard clientID.lowercased() == client.lowercased() else { return false }
        func same(_ left: String?, _ right: String?) -> Bool {
            guard let left, let right, !left.isEmpty else { return false }
            return left.lowercased() == right.lowercased()
        }
        return same(clientInfo?.homeAccountID, account.homeAccountID) || same(username, account.username)
            || same(objectID, account.objectID)
    }
}
