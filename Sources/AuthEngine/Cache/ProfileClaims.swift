import OAuthCore

/// What an ID token says of an account. A cached token is read when somebody looks: reading it costs more than finding
/// it, and few who ask for an access token look.
package enum ProfileClaims: Sendable, Equatable {
    case read([String: JSONValue])
    case inside(Secret)
    /// In the cache: whoever lists thousands of accounts looks at the claims of few.
    case stored(StoredIDToken)

    /// `nil` for text that is no token, and for a token that is gone.
    package var all: [String: JSONValue]? {
        switch self {
        case .read(let claims): claims
        case .inside(let idToken): (try? JWT(parsing: idToken.reveal()))?.payload
        case .stored(let idToken): idToken.claims
        }
    }

    /// A list has the names beside its stored tokens (``AccountDigest/Person/name``): none is read for that.
    var name: String? {
        if case .stored = self { return nil }
        return all?["name"]?.visibleText
    }
}
