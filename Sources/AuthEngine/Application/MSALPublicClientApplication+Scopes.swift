import OAuthCore

extension MSALPublicClientApplication {
    /// Returns the scopes that are equivalent to an ADAL resource: everything the user consented to there. Not in MSAL
    /// for iOS and macOS.
    ///
    /// A trailing `/` is significant, because the token's audience repeats the resource exactly. The scope of
    /// `https://graph.windows.net/` is `https://graph.windows.net//.default`.
    public static func scopes(forADALResource resource: String) -> [String] { Scopes.forResource(resource).names }
}
