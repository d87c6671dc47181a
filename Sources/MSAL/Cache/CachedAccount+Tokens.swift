import Foundation

extension MSALCachedTokens {
    /// Creates the state of the tokens. Returns `nil` when there are none for this client.
    init?(of records: [CredentialRecord], client: String) {
        var expiresOn: Date?
        var (refreshToken, metadata): (CachedRefreshToken?, CredentialRecord?)
        var (hasOwn, hasFamily, canRefresh) = (false, false, false)
        // One pass, because the first list calls this for every account.
        for record in records {
            let isOwn = record.key.client == client
            switch record.key.kind {
            case .accessToken, .boundAccessToken:
                guard isOwn else { continue }
                hasOwn = true
                if let expiry = CachedAccessToken(record)?.expiresOn { expiresOn = max(expiresOn ?? expiry, expiry) }
            case .refreshToken:
                if isOwn { hasOwn = true }
                guard let token = CachedRefreshToken(record) else { continue }
                if token.familyID?.isEmpty == false { hasFamily = true }
                if isOwn { canRefresh = true }
                if isOwn || refreshToken == nil && token.familyID?.isEmpty == false { refreshToken = token }
            case .accountMetadata: if isOwn { metadata = record }
            case .idToken, .account, .appMetadata, .proofKey, .document: continue
            }
        }
        guard hasOwn || hasFamily else { return nil }
        self.init(
            expiresOn: expiresOn, canRefresh: hasFamily || canRefresh, isFromOtherApplication: !hasOwn,
            signedInOn: metadata?.signedInOn,
            signInExpiry: refreshToken.flatMap { MSALSignInExpiry(of: $0, metadata) })
    }
}
