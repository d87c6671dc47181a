/// How an account is signed out (MSAL for iOS and macOS, `MSALSignoutParameters`).
open class MSALSignoutParameters: MSALParameters {
    /// How the authority's sign-out page is shown. A copy of what was given.
    public let webviewParameters: MSALWebviewParameters

    /// Opens the authority's sign-out page, which ends the browser's session too.
    open var signoutFromBrowser = false

    /// Takes the account away from every application that shares the cache.
    open var wipeAccount = false

    /// Empties the whole cache, of all accounts and applications.
    open var wipeCacheForAllAccounts = false

    /// Parameters added to the address of the sign-out page.
    open var extraQueryParameters: [String: String]?

    public override convenience init() {
        self.init(webviewParameters: MSALWebviewParameters())
    }

    /// Signs out here; see the properties for more.
    public init(webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.snapshot
    }
}
