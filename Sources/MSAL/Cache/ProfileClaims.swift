import OAuthCore

/// The claims of an account's ID token, decoded on demand. Decoding takes longer than finding the token, and few
/// callers need the claims.
package enum ProfileClaims: Sendable, Equatable {
    case read([String: JSONValue])
    case inside(Secret)
    /// The token is still in the cache, because callers that list thousands of accounts read the claims of few.
    case stored(StoredIDToken)
    /// There is a token in the cache, but a list doesn't say where.
    case unread

    /// `nil` when the text isn't a token or the token is gone.
    package var all: [String: JSONValue]? {
        switch self {
        case .read(let claims): claims
        case .inside(let idToken): (try? JWT(parsing: idToken.reveal()))?.payload
        case .stored(let idToken): idToken.claims
        case .unread: nil
        }
    }

    /// The name, or `nil` for a token in the cache. Lists use ``CachedAccount/Profile/name`` instead.
    var name: String? {
        switch self {
        case .read, .inside: all?["name"]?.visibleText
        case .stored, .unread: nil
        }
    }
}
