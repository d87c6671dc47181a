import OAuthCore

/// The `claims` parameter as the authority understands it (OpenID Connect Core §5.5), on purpose not the client's code.
struct RequestedClaims: Sendable, Equatable {
    /// Optional claims of the ID token, by name.
    var idToken: Set<String> = []
    var userInfo: Set<String> = []
    /// Entra's authentication contexts (`acrs`) that the access token, or the ID token, must show.
    var contexts: Set<String> = []
    /// What the client can handle (`xms_cc`).
    var capabilities: [String] = []

    init() {}

    /// Returns `nil` unless it is an object of objects.
    init?(_ text: String) {
        guard let members = (try? JSONValue(parsing: text))?.object else { return nil }
        for (target, value) in members {
            guard let claims = value.object else {
                // OpenID Connect Core §5.5: members that are not understood are ignored, but these are.
                if ["id_token", "userinfo", "access_token"].contains(target), value != .null { return nil }
                continue
            }
            take(claims, for: target)
        }
    }

    private mutating func take(_ claims: [String: JSONValue], for target: String) {
        switch target {
        case "id_token": idToken = Set(claims.keys)
        case "userinfo": userInfo = Set(claims.keys)
        default: capabilities += claims["xms_cc"].map(Self.values) ?? []
        }
        // A claim that is merely wished for does not stop anybody.
        for name in ["acrs", "acr"] {
            guard let wanted = claims[name], target != "userinfo", wanted["essential"] == true else { continue }
            contexts.formUnion(Self.values(of: wanted))
        }
    }

    private static func values(of claim: JSONValue) -> [String] {
        [claim["value"]?.string].compactMap(\.self) + (claim["values"]?.array ?? []).compactMap(\.string)
    }
}
