import Foundation

/// What silent and interactive token requests have in common (MSAL for iOS and macOS, `MSALTokenParameters`).
open class MSALTokenParameters: MSALParameters {
    /// Scopes to ask for. `openid`, `profile` and `offline_access` are added by the library and refused here.
    public var scopes: [String]

    /// Whose token it shall be.
    public var account: MSALAccount?

    /// Asks another authority than the application's, for example a guest's tenant.
    public var authority: MSALAuthority?

    /// Parameters added to the authorization request and to the token endpoint's address.
    public var extraQueryParameters: [String: String]?

    /// Joins the request with the authority's own logs. A random one is made when it is `nil`.
    public var correlationId: UUID?

    public init(scopes: [String]) {
        self.scopes = scopes
    }
}
