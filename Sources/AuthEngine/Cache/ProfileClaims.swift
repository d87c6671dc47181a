import OAuthCore

/// What an ID token says of an account. A cached token is read when somebody looks: reading it costs more than finding
/// it, and few who ask for an access token look.
package enum ProfileClaims: Sendable, Equatable {
    case read([String: JSONValue])
    case inside(Secret)

    /// `nil` for text that is no token.
    package var all: [String: JSONValue]? {
        switch self {
        case .read(let claims): claims
        case .inside(let idToken): (try? JWT(parsing: idToken.reveal()))?.payload
        }
    }

    var name: String? { all?["name"]?.string }
}
