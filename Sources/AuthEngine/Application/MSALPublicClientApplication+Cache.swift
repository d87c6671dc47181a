extension MSALPublicClientApplication {
    /// How the token cache is protected at rest. Opens the cache; no network. An addition of this library.
    public var cacheProtection: MSALCacheProtection {
        get throws { try Self.translatingErrors(nil) { try dependencies.credentials.protection() } }
    }
}
