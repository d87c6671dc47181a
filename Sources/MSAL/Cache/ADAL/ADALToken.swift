import OAuthCore

/// A refresh token of an ADAL cache, with its user, resource and client.
package struct ADALToken: Sendable, Equatable {
    /// The URL of the authority that issued the token.
    package var authority: String
    /// The resource of the request, or `nil` when the cache doesn't say.
    package var resource: String?
    package var clientID: String
    package var username: String?
    package var objectID: String?
    /// The home account, if ADAL stored the server's `client_info`.
    package var clientInfo: ClientInfo?
    package var refreshToken: Secret

    /// The scope equivalent to the resource. A trailing `/` is significant, hence `//.default`.
    package var scopes: Scopes { resource.map(Scopes.forResource) ?? [] }

    /// The host of the authority, with the port if it has one.
    package var environment: String {
        let rest = authority.range(of: "://").map { authority[$0.upperBound...] } ?? authority[...]
        return UnifiedEnvironment(String(rest.prefix { !"/?#".contains($0) })).text
    }
}
