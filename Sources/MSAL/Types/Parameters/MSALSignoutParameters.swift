/// Parameters of a sign-out (MSAL for iOS and macOS, `MSALSignoutParameters`).
open class MSALSignoutParameters: MSALParameters {
    /// How to show the authority's sign-out page. A copy of the initialiser's argument.
    public let webviewParameters: MSALWebviewParameters

    /// Whether to open the authority's sign-out page, which also ends the browser session (default: `false`).
    open var signoutFromBrowser = false

    /// Whether to remove the account from every application that shares the cache (default: `false`).
    open var wipeAccount = false

    /// Whether to empty the cache for all accounts and applications (default: `false`).
    open var wipeCacheForAllAccounts = false

    /// Whether to revoke the account's tokens at the authority (RFC 7009), if it has an endpoint for that (default: `false`). A
    /// failure doesn't keep the tokens here. Not in MSAL for iOS and macOS.
    open var revokesTokens = false

    /// Receives what became of the tokens at the authority, if ``revokesTokens``. Not in MSAL for iOS and macOS.
    open var revocationHandler: (@Sendable (MSALRevocation) -> Void)?

    /// Additional query parameters of the sign-out page.
    open var extraQueryParameters: [String: String]?

    public override convenience init() {
        self.init(webviewParameters: MSALWebviewParameters())
    }

    /// Creates parameters for a sign-out from this application.
    public init(webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.snapshot
    }
}
