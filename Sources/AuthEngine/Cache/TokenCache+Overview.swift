import Foundation
import OAuthCore

extension TokenCache {
    /// What there is for each account, by home account. Accounts without a token are missing.
    package func overview() throws(CredentialStoreFailure) -> [String: MSALCachedTokens] {
        let kinds: Set<CredentialKey.Kind> = [.accessToken, .boundAccessToken, .refreshToken]
        let records = try store.records(matching: CredentialQuery(kinds: kinds))
        return Dictionary(grouping: records, by: \.key.homeAccountID).compactMapValues(overview)
    }

    /// Nil: nothing there is for this client.
    private func overview(of records: [CredentialRecord]) -> MSALCachedTokens? {
        let own = records.filter { $0.key.client == clientID.lowercased() }
        let family = records.compactMap(CachedRefreshToken.init).filter { $0.familyID?.isEmpty == false }
        guard !own.isEmpty || !family.isEmpty else { return nil }
        return MSALCachedTokens(
            expiresOn: own.compactMap(CachedAccessToken.init).map(\.expiresOn).max(),
            canRenew: !family.isEmpty || own.contains { CachedRefreshToken($0) != nil },
            isFromOtherApplication: own.isEmpty)
    }
}
