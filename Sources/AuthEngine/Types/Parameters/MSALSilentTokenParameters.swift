/// A request that never shows anything (MSAL for iOS and macOS, `MSALSilentTokenParameters`).
open class MSALSilentTokenParameters: MSALTokenParameters {
    /// Asks the authority for a new token even when the cached one is good.
    open var forceRefresh = false

    /// Whether the cached refresh token may be used when the identity broker gave no token.
    open var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// The reserved scopes (openid, profile, offline_access) are added.
    public init(scopes: [String], account: MSALAccount) {
        super.init(scopes: scopes)
        self.account = account
    }
}
