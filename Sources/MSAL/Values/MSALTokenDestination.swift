import Foundation

/// The server that a program sends a token to. Not in MSAL for iOS and macOS.
///
/// With a destination, a request returns a token only if it is for this server, or if the user has said so for this server.
/// Otherwise it fails with ``MSALError/interactionRequired`` and a ``MSALTokenAgreement`` (``MSALTokenAgreementKey``): show it
/// to the user, and repeat the request with ``agreement`` if they agree. Never agree in the user's place.
///
/// An application for a protected resource has that resource as its destination.
public struct MSALTokenDestination: Sendable, Hashable {
    /// The URL of the requests that have the token.
    public let url: URL
    /// The scopes that the user named for this server, for example on the command line; `nil` if the user named neither
    /// scopes nor a profile.
    public var namedScopes: [String]?
    /// Whether the user named only the server, as for a gate. Then ``namedScopes`` doesn't allow it Microsoft's own APIs.
    public var namesServerOnly = false
    /// Whether the user named the application for this server. Then its opaque token, which shows no audience, needs no agreement.
    public var namesApplication = false
    /// What the user has just agreed to. Kept after the request has succeeded.
    public var agreement: MSALTokenAgreement?

    /// Creates a destination. Without scopes, the user named nothing for this server.
    public init(_ url: URL, namedScopes: [String]? = nil) {
        self.url = url
        self.namedScopes = namedScopes
    }
}

/// That a server may have an account's tokens with some scopes: what to ask the user, or what the user agreed to
/// (docs/resources.md). Not in MSAL for iOS and macOS.
public struct MSALTokenAgreement: Sendable, Hashable {
    /// The URL of the server, without a query. Another path is another endpoint.
    public let url: URL
    /// The authority that issues the tokens.
    public let authority: URL
    /// The application that the tokens are issued to.
    public let clientId: String
    /// The identifier of the account; `nil` before a sign-in, for whoever signs in.
    public internal(set) var accountIdentifier: String?
    /// The username of the account, if it is known.
    public internal(set) var username: String?
    /// The scopes that the user agreed to, or is asked for.
    public internal(set) var scopes: [String]
    /// Other endpoints that the user agreed to for some of these scopes. Only in a question.
    public internal(set) var otherEndpoints: [URL] = []

    /// The APIs that the scopes name, in their order, at an authority where scopes name an API. Only in a question.
    public internal(set) var apis: [String] = []

    /// What the endpoint may have already. Only in a question.
    package internal(set) var allowedScopes: [String] = []

    package init(
        url: URL, authority: URL, clientId: String, accountIdentifier: String? = nil, username: String? = nil,
        scopes: [String], otherEndpoints: [URL] = [], apis: [String] = []
    ) {
        (self.url, self.authority, self.clientId) = (url, authority, clientId)
        (self.accountIdentifier, self.username, self.scopes) = (accountIdentifier, username, scopes)
        (self.otherEndpoints, self.apis) = (otherEndpoints, apis)
    }
}
