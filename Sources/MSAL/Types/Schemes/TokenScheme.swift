import Foundation

/// The scheme of one request's access token.
package enum TokenScheme: Sendable, Hashable {
    case bearer
    case pop(BoundRequest)

    /// The name in the `Authorization` header and, in any case, in `token_type` (RFC 6750 §2.1,
    /// docs/upstream-behaviour.md §11).
    package var name: String {
        switch self {
        case .bearer: "Bearer"
        case .pop: "Pop"
        }
    }

    init(_ scheme: (any MSALAuthenticationSchemeProtocol)?) throws {
        switch scheme {
        case nil: self = .bearer
        // The common case first, because a failing cast to a class is slow.
        case let some? where some.scheme == .bearer: self = .bearer
        case let pop as MSALAuthenticationSchemePop: self = .pop(pop.bound)
        default:
            throw AuthenticationFailure.invalid("The Pop authentication scheme names no request to bind the token to.")
        }
    }
}

/// The one request that a bound token is for.
package struct BoundRequest: Sendable, Hashable {
    package var method: String
    package var url: URL
    package var nonce: String?
}
