import Dispatch
import Foundation

/// The parameters that all requests share (MSAL for iOS and macOS, `MSALParameters`).
open class MSALParameters: NSObject {
    /// The queue on which to call the completion block. `nil` selects the main queue after an interactive request and
    /// any thread after a silent one.
    open var completionBlockQueue: DispatchQueue?

    /// A handler that receives each step of the flow in order. Not in MSAL for iOS and macOS.
    ///
    /// Events contain no secrets. The flow's own task calls the handler, which must not block.
    open var flowEventHandler: (@Sendable (MSALFlowEvent) -> Void)?

    /// A handler that receives each finished HTTP exchange and each browser redirect of the flow. Not in MSAL for iOS
    /// and macOS.
    ///
    /// Secrets are redacted. The flow's own task calls the handler, which must not block. While it is `nil`, the
    /// library records nothing.
    open var flowExchangeHandler: (@Sendable (MSALFlowExchange) -> Void)?

    /// A handler that holds each request of the flow, and each page for the browser, until it returns the changes to make,
    /// usually none (`keyturn step`). Not in MSAL for iOS and macOS.
    ///
    /// If it throws, the request isn't sent, and the flow is cancelled. A flow with a changed request saves nothing and returns no
    /// token. Requests that no other depends on can be held at the same time. While it holds one that refreshes a token, other
    /// programs wait for the account's tokens, at most 45 seconds.
    open var flowRequestHandler: (@Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit])?

    public override init() {}
}

/// A filter for accounts (MSAL for iOS and macOS, `MSALAccountEnumerationParameters`). Every value that is set must
/// match.
open class MSALAccountEnumerationParameters: MSALParameters {
    /// The home account identifier to match.
    public let identifier: String?
    /// The tenant profile identifier to match, in any tenant.
    public let tenantProfileIdentifier: String?
    /// The username to match.
    public let username: String?

    /// Whether to leave out accounts that signed out of this application (default: `true`).
    open var returnOnlySignedInAccounts = true

    public override init() { (identifier, tenantProfileIdentifier, username) = (nil, nil, nil) }

    /// Creates a filter for a home account identifier.
    public init(identifier: String) { (self.identifier, tenantProfileIdentifier, username) = (identifier, nil, nil) }

    /// Creates a filter for a home account identifier and a username.
    public init(identifier: String?, username: String) {
        (self.identifier, tenantProfileIdentifier, self.username) = (identifier, nil, username)
    }

    /// Creates a filter for an identifier in one of the account's tenants.
    public init(tenantProfileIdentifier: String) {
        (identifier, self.tenantProfileIdentifier, username) = (nil, tenantProfileIdentifier, nil)
    }

    init(_ identifier: String?, _ tenantProfileIdentifier: String?, _ username: String?) {
        (self.identifier, self.tenantProfileIdentifier) = (identifier, tenantProfileIdentifier)
        self.username = username
    }
}

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

    public override convenience init() { self.init(webviewParameters: MSALWebviewParameters()) }

    /// Creates parameters for a sign-out from this application.
    public init(webviewParameters: MSALWebviewParameters) { self.webviewParameters = webviewParameters.snapshot }
}

/// What became of an account's tokens at the authority during a sign-out (RFC 7009). Not in MSAL for iOS and macOS.
///
/// Access tokens can stay valid until they expire, because most APIs don't ask the authority.
public enum MSALRevocation: Sendable {
    /// The authority accepts the refresh token no longer.
    case revoked
    /// The authority has no revocation endpoint.
    case notOffered
    /// No token of this application was in the cache.
    case nothingToRevoke
    /// The authority couldn't be reached, or rejected the request. The tokens are removed from the cache all the same.
    case failed(MSALAuthenticationError)
}
