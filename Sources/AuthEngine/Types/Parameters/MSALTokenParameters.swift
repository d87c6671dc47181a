import Foundation

/// What silent and interactive token requests have in common (MSAL for iOS and macOS, `MSALTokenParameters`).
open class MSALTokenParameters: MSALParameters {
    /// Scopes to ask for. `openid`, `profile` and `offline_access` are added by the library and refused here.
    open var scopes: [String]

    /// Whose token it shall be.
    open var account: MSALAccount?

    /// Asks another authority than the application's, for example a guest's tenant.
    open var authority: MSALAuthority?

    /// Claims wanted in the tokens, for example those of a claims challenge. A cached token is then not given out.
    open var claimsRequest: MSALClaimsRequest?

    /// Parameters added to the authorization request and to the token endpoint's address.
    open var extraQueryParameters: [String: String]?

    /// Joins the request with the authority's own logs. A random one is made when it is `nil`.
    open var correlationId: UUID?

    /// How the token is to be used. A bearer token unless set.
    open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? = MSALAuthenticationSchemeBearer()

    /// Which of macOS' broker services may be used. There are none here; it is kept so that code which sets it compiles.
    open var msalXpcMode: MSALXpcMode = .disabled

    /// The reserved scopes (openid, profile, offline_access) are added.
    public init(scopes: [String]) {
        self.scopes = scopes
    }
}
