/// Parameters of an interactive token request (MSAL for iOS and macOS, `MSALInteractiveTokenParameters`).
open class MSALInteractiveTokenParameters: MSALTokenParameters {
    /// The prompt behaviour to request. By default the authority decides.
    open var promptType: MSALPromptType = .promptIfNecessary

    /// The username to fill in when ``MSALTokenParameters/account`` is `nil`.
    open var loginHint: String?

    /// The domain of the user's organisation, to go straight to its sign-in page.
    open var domainHint: String?

    /// Scopes to consent to now, for which this request gets no token.
    open var extraScopesToConsent: [String]?

    /// The preferred sign-in method among those that the authority offers.
    open var preferredAuthMethod: MSALPreferredAuthMethod = .none

    /// Whether this request uses an identity broker. Not in MSAL for iOS and macOS.
    open var brokerPreference: MSALBrokerPreference = .asConfigured

    /// The user who has to sign in, by username in any case or by account identifier. Not in MSAL for iOS and macOS.
    ///
    /// When another user signs in, the request fails with ``MSALInternalError/internalErrorMismatchedUser`` and saves
    /// nothing. For a cached account, set ``MSALTokenParameters/account`` instead.
    ///
    /// It is also the username to fill in when ``loginHint`` is `nil`.
    public var requiredUser: String?

    /// How to show the sign-in page. A copy of the initialiser's argument.
    public let webviewParameters: MSALWebviewParameters

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.snapshot
        super.init(scopes: scopes)
    }
}
