extension MSALPublicClientApplication {
    /// How the token cache is protected at rest. Opens the cache; no network. An addition of this library.
    public func cacheProtection() throws -> MSALCacheProtection {
        try Self.translatingErrors(nil) { try dependencies.credentials.protection() }
    }
}
