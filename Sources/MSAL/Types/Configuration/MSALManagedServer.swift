import Foundation

/// How this client gets the tokens of a server to which the organisation of the user grants access (enterprise-managed authorization
/// of MCP). Not in MSAL for iOS and macOS.
///
/// The user signs in at the application's authority, which is the organisation's. It issues an assertion for the authority of the
/// server (RFC 8693), and that one an access token for the assertion (RFC 7523). The user sees no second page.
///
/// The assertion and the client secret go to ``authority`` only, whatever the server's metadata names.
public struct MSALManagedServer: Sendable {
    /// The issuer of the server's authority.
    public var authority: URL
    /// The ID of this client at that authority.
    public var clientId: String
    /// The secret of this client there, if it has one. ``MSALClientSecret/stored`` is the application's own, so it can't be used.
    public var clientSecret: MSALClientSecret?

    /// Creates the way to a server's tokens.
    public init(authority: URL, clientId: String, clientSecret: MSALClientSecret? = nil) {
        (self.authority, self.clientId, self.clientSecret) = (authority, clientId, clientSecret)
    }
}
