/// Parameters of a silent token request (MSAL for iOS and macOS, `MSALSilentTokenParameters`).
open class MSALSilentTokenParameters: MSALTokenParameters {
    /// Whether to get a new token from the authority even when the cached one is valid (default: `false`).
    open var forceRefresh = false

    /// Whether to use the cached refresh token when the identity broker returned no token (default: `true`).
    open var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String], account: MSALAccount) {
        super.init(scopes: scopes)
        self.account = account
    }
}
