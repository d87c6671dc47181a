extension Sequence<String> {
    /// Without the scopes that the library adds to every request and rejects from its caller (OpenID Connect Core
    /// §3.1.2.1, §11). Every provider's documentation tells users to name them, so a configuration, a command line and a
    /// form may.
    package var withoutAlwaysRequested: [String] {
        filter { !["openid", "profile", "offline_access"].contains($0.lowercased()) }
    }
}
