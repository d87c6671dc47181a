import Foundation

/// The parameters that all token requests share (MSAL for iOS and macOS, `MSALTokenParameters`).
open class MSALTokenParameters: MSALParameters {
    /// The scopes to request. Don't include `openid`, `profile` or `offline_access`: the library adds them and rejects
    /// them here.
    open var scopes: [String]

    /// The account to get a token for.
    open var account: MSALAccount?

    /// The authority for this request, for example the tenant of a guest. `nil` selects the application's.
    open var authority: MSALAuthority?

    /// Claims to request, for example those of a claims challenge. The library then skips the cached access token.
    open var claimsRequest: MSALClaimsRequest?

    /// Additional parameters of the authorization request and query parameters of the token endpoint.
    open var extraQueryParameters: [String: String]?

    /// The ID of the request in the authority's logs. `nil` selects a random one.
    open var correlationId: UUID?

    /// The scheme that determines how to use the token (default: bearer).
    open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? = MSALAuthenticationSchemeBearer()

    /// The broker services of macOS to use. Has no effect on Linux; it lets code that sets it compile.
    open var msalXpcMode: MSALXpcMode = .disabled

    /// Creates the parameters. The library adds the reserved scopes (`openid`, `profile`, `offline_access`).
    public init(scopes: [String]) {
        self.scopes = scopes
    }
}
