import Foundation
import OAuthCore

/// The parameters that all token requests share (MSAL for iOS and macOS, `MSALTokenParameters`).
open class MSALTokenParameters: MSALParameters {
    /// The scopes to request. Don't include `openid`, `profile` or `offline_access`: the library adds them and rejects
    /// them here.
    open var scopes: [String]

    /// Whether the user insists on all ``scopes``, even on those that a resource only offers (`scopes_supported`), of which its
    /// authorization server may grant fewer (default: `false`). Not in MSAL for iOS and macOS.
    public var requiresOfferedScopes = false

    /// The account to get a token for.
    open var account: MSALAccount?

    /// The authority for this request, for example the tenant of a guest. `nil` selects the application's.
    open var authority: MSALAuthority?

    /// Claims to request, for example those of a claims challenge. The library then skips the cached access token.
    open var claimsRequest: MSALClaimsRequest?

    /// The challenge of a resource to meet: adds its scopes and claims, and a sign-in to its authentication context and
    /// age. Not in MSAL for iOS and macOS.
    ///
    /// A silent request then returns no token that the resource rejected, and requires interaction for a challenge that
    /// only a sign-in can meet.
    public var challenge: MSALChallenge?

    /// The server that gets the token. The default `nil` is the application's resource, if it has one. Not in MSAL for iOS and
    /// macOS.
    public var destination: MSALTokenDestination?

    /// Additional parameters of the authorization request and query parameters of the token endpoint.
    open var extraQueryParameters: [String: String]?

    /// The ID of the request in the authority's logs. `nil` selects a random one.
    open var correlationId: UUID?

    /// The scheme that determines how to use the token (default: bearer).
    open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? = MSALAuthenticationSchemeBearer()

    /// The broker services of macOS to use. Has no effect on Linux; it lets code that sets it compile.
    open var msalXpcMode: MSALXpcMode = .disabled

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String]) { self.scopes = scopes }
}

/// Parameters of a silent token request (MSAL for iOS and macOS, `MSALSilentTokenParameters`).
open class MSALSilentTokenParameters: MSALTokenParameters {
    /// Whether to get a new token from the authority even when the cached one is valid (default: `false`).
    open var forceRefresh = false

    /// Whether to return what the cache has, without a request or a change (default: `false`). Not in MSAL for iOS and macOS.
    ///
    /// The result can have expired: compare ``MSALResult/expiresOn``. Without a cached access token, the request requires
    /// interaction.
    public var usesOnlyCache = false

    /// Whether to use the cached refresh token when the identity broker returned no token (default: `true`).
    open var allowUsingLocalCachedRtWhenSsoExtFailed = true

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String], account: MSALAccount) {
        super.init(scopes: scopes)
        self.account = account
    }
}

/// Parameters of a sign-in with a code that the user enters on another device (RFC 8628). Not in MSAL for iOS and
/// macOS.
///
/// This device needs no browser.
open class MSALDeviceCodeParameters: MSALTokenParameters {
    /// Shows the code to the user. The library calls it once, before it waits for the user. It must not block.
    public let deviceCodeHandler: @Sendable (MSALDeviceCode) -> Void

    /// The user who has to sign in, by username in any case or by account identifier. Not in MSAL for iOS and macOS.
    ///
    /// When another user signs in, the request fails with ``MSALInternalError/internalErrorMismatchedUser`` and saves
    /// nothing. For a cached account, set ``MSALTokenParameters/account`` instead.
    public var requiredUser: String?

    /// Creates the parameters. The library calls `deviceCodeHandler` once, to show the code to the user.
    public init(scopes: [String], deviceCodeHandler: @escaping @Sendable (MSALDeviceCode) -> Void) {
        self.deviceCodeHandler = deviceCodeHandler
        super.init(scopes: scopes)
    }
}

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

    /// The default of ``responseTimeout``: 15 minutes. Not in MSAL for iOS and macOS.
    public static let defaultResponseTimeout: TimeInterval = 15 * 60

    /// The longest time to wait for the user in the browser or the broker's window, in seconds (default:
    /// ``defaultResponseTimeout``). Not in MSAL for iOS and macOS.
    ///
    /// A browser doesn't tell when its window is closed. After this time the request fails with ``MSALError/userCanceled``, and
    /// the next sign-in can start. Use `.infinity` to wait until the program cancels the request.
    public var responseTimeout: TimeInterval = defaultResponseTimeout

    /// How to show the sign-in page. A copy of the initialiser's argument.
    public let webviewParameters: MSALWebviewParameters

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
        self.webviewParameters = webviewParameters.snapshot
        super.init(scopes: scopes)
    }
}

/// The prompt behaviour to request (OpenID Connect Core §3.1.2.1, `prompt`).
public enum MSALPromptType: UInt, Sendable, CaseIterable {
    /// Let the user choose among the accounts of the browser session.
    case selectAccount = 0
    /// Require credentials even if the browser has a session.
    case login = 1
    /// Require consent even if the user already consented.
    case consent = 2
    /// Offer to create an account.
    case create = 3
    /// Prompt only when necessary.
    case promptIfNecessary = 4

    /// The prompt behaviour of requests that set none.
    public static let `default`: MSALPromptType = .promptIfNecessary

    /// The value of the `prompt` parameter, or `nil` when the request omits it. Not in MSAL for iOS and macOS.
    public var parameterValue: String? { wireValue?.rawValue }

    var wireValue: Prompt? {
        switch self {
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        case .promptIfNecessary: nil
        }
    }
}

/// The code that the user enters on another device (RFC 8628). Not in MSAL for iOS and macOS.
///
/// The texts come from the authority; sanitise them before printing. Show the code only to the user and never log it:
/// anyone who has it can complete the sign-in with their own account.
public struct MSALDeviceCode: Sendable, Equatable {
    /// The code to enter.
    public let userCode: String
    /// The page on which to enter the code.
    public let verificationURL: URL
    /// The page with the code filled in, for a QR code. `nil` if the authority provides none.
    public let verificationURLComplete: URL?
    /// The time at which the code expires.
    public let expiresOn: Date
    /// Seconds between two polling requests.
    public let interval: Int
    /// Instructions for the user in one sentence, from the authority or else from this library.
    public let message: String

    /// Creates a code from the values of a device authorization response.
    public init(
        userCode: String, verificationURL: URL, verificationURLComplete: URL? = nil, expiresOn: Date, interval: Int,
        message: String
    ) {
        (self.userCode, self.verificationURL) = (userCode, verificationURL)
        (self.verificationURLComplete, self.expiresOn) = (verificationURLComplete, expiresOn)
        (self.interval, self.message) = (interval, message)
    }
}
