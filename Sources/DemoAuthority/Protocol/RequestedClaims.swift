import OAuthCore

/// The parsed `claims` parameter (OpenID Connect Core §5.5). Deliberately shares no code with the client.
struct RequestedClaims: Sendable, Equatable {
    /// The names of requested ID token claims.
    var idToken: Set<String> = []
    var userInfo: Set<String> = []
    /// The authentication contexts (`acrs`, Entra) that the tokens must contain.
    var contexts: Set<String> = []
    /// The client's capabilities (`xms_cc`).
    var capabilities: [String] = []

    init() {}

    /// Nil unless the JSON is an object of objects.
    init?(_ text: String) {
        guard let members = (try? JSONValue(parsing: text))?.object else { return nil }
        for (target, value) in members {
            guard let claims = value.object else {
                // Unknown members are ignored (OpenID Connect Core §5.5), but these are known.
                if ["id_token", "userinfo", "access_token"].contains(target), value != .null { return nil }
                continue
            }
            add(claims, for: target)
        }
    }

    private mutating func add(_ claims: [String: JSONValue], for target: String) {
        switch target {
        case "id_token": idToken = Set(claims.keys)
        case "userinfo": userInfo = Set(claims.keys)
        default: capabilities += claims["xms_cc"].map(Self.values) ?? []
        }
        // Voluntary claims require nothing.
        for name in ["acrs", "acr"] {
            guard let wanted = claims[name], target != "userinfo", wanted["essential"] == true else { continue }
            contexts.formUnion(Self.values(of: wanted))
        }
    }

    private static func values(of claim: JSONValue) -> [String] {
        [claim["value"]?.string].compactMap(\.self) + (claim["values"]?.array ?? []).compactMap(\.string)
    }
}
