import OAuthCore

/// What an ADAL cache keeps of one person at one resource, as far as it is of use: the refresh token, and whose it is.
package struct ADALToken: Sendable, Equatable {
    /// The address of the authority that gave it.
    package var authority: String
    /// What it was asked for; `nil` when the cache does not say.
    package var resource: String?
    package var clientID: String
    /// The name that was shown.
    package var username: String?
    /// The object ID of the person.
    package var objectID: String?
    /// The home account, where ADAL kept the server's `client_info`.
    package var clientInfo: ClientInfo?
    package var refreshToken: Secret

    /// The scope that stands for the resource. One that ends in `/` keeps it, hence `//.default`.
    package var scopes: Scopes { resource.map(Scopes.forResource) ?? [] }

    /// The host of the authority, with its port where it names one, as environments are written.
    package var environment: String {
        let rest = authority.range(of: "://").map { authority[$0.upperBound...] } ?? authority[...]
        return UnifiedEnvironment(String(rest.prefix { !"/?#".contains($0) })).text
    }
}
