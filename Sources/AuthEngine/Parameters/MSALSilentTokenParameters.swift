/// A request that never shows anything (MSAL for iOS and macOS, `MSALSilentTokenParameters`).
open class MSALSilentTokenParameters: MSALTokenParameters {
    /// Asks the authority for a new token even when the cached one is good.
    public var forceRefresh = false

    public init(scopes: [String], account: MSALAccount) {
        super.init(scopes: scopes)
        self.account = account
    }
}
