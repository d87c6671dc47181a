import Foundation
import OAuthCore

/// How the access token of one request is to be used.
package enum TokenScheme: Sendable, Hashable {
    case bearer
    case pop(BoundRequest)

    /// As in the `Authorization` header, and in `token_type` but for case (RFC 6750 §2.1, docs/upstream-behaviour.md
    /// §11).
    package var name: String {
        switch self {
        case .bearer: "Bearer"
        case .pop: "Pop"
        }
    }

    init(_ scheme: (any MSALAuthenticationSchemeProtocol)?) throws {
        switch scheme {
        case nil: self = .bearer
        // Asked first: to find out that an object is none of a class takes as long as opening the cache.
        case let some? where some.scheme == .bearer: self = .bearer
        case let pop as MSALAuthenticationSchemePop: self = .pop(pop.bound)
        default:
            throw AuthenticationFailure.caller(
                .invalidParameter(
                    "The authentication scheme says Pop but names no request to bind the token to."))
        }
    }
}

/// The one request that a bound token is for.
package struct BoundRequest: Sendable, Hashable {
    package var method: String
    package var url: URL
    package var nonce: String?
}
