import OAuthCore

/// The refresh tokens in ADAL caches, for accounts without one in the token cache (docs/upstream-behaviour.md §4.6,
/// §4.11).
struct LegacyTokens: Sendable {
    let caches: @Sendable () -> [[UInt8]]
    let clientID: String

    /// The tokens of an account without duplicates, in the order of the caches. Ignores unreadable caches.
    func tokens(
        of account: AccountReference, environments: [String]? = nil
    ) -> [ADALToken] {
        var seen: Set<Secret> = []
        return all.filter { token in
            token.belongs(to: account, client: clientID)
                && environments.map { $0.contains(token.environment) } ?? true
                && seen.insert(token.refreshToken).inserted
        }
    }

    /// The tokens of this client.
    var all: [ADALToken] {
        caches().flatMap { (try? ADALCache(parsing: $0))?.tokens ?? [] }
            .filter { $0.clientID.lowercased() == clientID.lowercased() }
    }
}

extension CachedRefreshToken {
    /// Creates a refresh token for redemption. Its key isn't in the cache.
    init(_ token: ADALToken, homeAccountID: String) {
        key = CredentialKey(
            .refreshToken, homeAccountID: homeAccountID, environment: token.environment,
            client: token.clientID.lowercased())
        secret = token.refreshToken
        familyID = nil
        writtenAt = .distantPast
        target = nil
        originalNonce = nil
        expiresOn = nil
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
