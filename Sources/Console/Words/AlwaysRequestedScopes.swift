extension Sequence<String> {
    /// The scopes without those that the library adds to every request and rejects from callers (OpenID Connect Core
    /// §3.1.2.1, §11). Users may still type them, as provider documentation recommends.
    package var withoutAlwaysRequested: [String] {
        filter { !["openid", "profile", "offline_access"].contains($0.lowercased()) }
    }
}
