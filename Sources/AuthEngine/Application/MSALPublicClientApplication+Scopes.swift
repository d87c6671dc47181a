import OAuthCore

extension MSALPublicClientApplication {
    /// The scopes that ask for what ADAL asked for by a resource: all that the application was given consent for there. An
    /// addition of this library.
    ///
    /// A resource that ends in `/` keeps it, because the token's audience is the resource as it is written: the scope of
    /// `https://graph.windows.net/` is `https://graph.windows.net//.default`.
    public static func scopes(forADALResource resource: String) -> [String] { Scopes.forResource(resource).names }
}
