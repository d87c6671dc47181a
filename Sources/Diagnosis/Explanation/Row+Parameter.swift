import OAuthCore

extension Explanation.Row {
    /// A parameter with its meaning. A secret value is replaced with its length.
    init(_ pair: Parameters.Pair) {
        let entry = ParameterDictionary.bundled.entry(forParameter: pair.name)
        self.init(
            pair.name, Self.secrets.contains(pair.name.lowercased()) ? Self.length(pair.value) : pair.value,
            meaning: entry?.meaning, source: entry?.source)
    }

    /// Parameters whose values are secret or identify a sign-in.
    private static let secrets: Set<String> = [
        "code", "state", "nonce", "access_token", "refresh_token", "id_token", "id_token_hint", "device_code",
        "code_verifier", "client_secret", "client_assertion", "assertion", "password", "request", "session_state",
        "client_info", "sso_nonce", "logout_token",
    ]

    static func length(_ value: String) -> String {
        value.isEmpty ? "empty" : "hidden, \(value.count) \(value.count == 1 ? "character" : "characters")"
    }
}
