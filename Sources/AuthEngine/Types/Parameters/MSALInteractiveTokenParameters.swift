/// A request that the person answers in a browser (MSAL for iOS and macOS, `MSALInteractiveTokenParameters`).
open class MSALInteractiveTokenParameters: MSALTokenParameters {
    /// What the authority shall insist on. The default lets it decide.
    open var promptType: MSALPromptType = .promptIfNecessary

    /// The user name to fill in when no account is given.
    open var loginHint: String?

    /// Sends the person straight to their organisation's sign-in page.
    open var domainHint: String?

    /// Scopes the person is asked to consent to now, although no token for them is wanted yet.
    open var extraScopesToConsent: [String]?

    /// How the person would rather sign in, among what the authority offers.
    open var preferredAuthMethod: MSALPreferredAuthMethod = .none

    /// Whether this request goes to an identity broker. An addition of this library.
    open var brokerPreference: MSALBrokerPreference = .asConfigured

    /// The user who has to sign in, by username in any case or by account identifier. When another user signs in, the
    /// request fails with ``MSALInternalError/internalErrorMismatchedUser`` and nothing is saved. An account that is known
    /// goes into ``MSALTokenParameters/account`` instead. An addition of this library.
    ///
    /// It is also the username to fill in when ``loginHint`` is `nil`.
    public var requiredUser: String?

    /// How the sign-in page is shown. A copy of what was given.
    public let webviewParameters: MSALWebviewParameters

    /// The reserved scopes (openid, profile, offline_access) are added.
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.snapshot
        super.init(scopes: scopes)
    }
}
