import Foundation

/// The scheme for tokens that are bound to a key and to one request (MSAL for iOS and macOS,
/// `MSALAuthenticationSchemePop`).
///
/// ``MSALResult/accessToken`` is then a signed HTTP request that contains the access token. It is valid for one request
/// with this method and URL. The key is stored beside the token cache.
open class MSALAuthenticationSchemePop: NSObject, MSALAuthenticationSchemeProtocol {
    /// The kind of scheme.
    open var scheme: MSALAuthScheme { .pop }
    open var authenticationScheme: String { "Pop" }

    /// Ignored, as in MSAL for iOS and macOS. It lets code that passes it compile.
    let additionalParameters: [AnyHashable: Any]?
    let bound: BoundRequest

    /// Creates a scheme for one request. `nonce` comes from the resource; `nil` selects a random one.
    public init(
        httpMethod: MSALHttpMethod, request requestUrl: URL, nonce: String?, additionalParameters: [AnyHashable: Any]?
    ) {
        bound = BoundRequest(method: MSALParameterStringForHttpMethod(httpMethod), url: requestUrl, nonce: nonce)
        self.additionalParameters = additionalParameters
    }
}

/// The scheme for bearer tokens (RFC 6750), the default of every request.
open class MSALAuthenticationSchemeBearer: NSObject, MSALAuthenticationSchemeProtocol {
    /// The kind of scheme.
    public var scheme: MSALAuthScheme { .bearer }
    public var authenticationScheme: String { "Bearer" }

    public override init() {}
}

/// A scheme that determines how to use an access token (MSAL for iOS and macOS, `MSALAuthenticationSchemeProtocol`).
public protocol MSALAuthenticationSchemeProtocol {
    /// The kind of scheme.
    var scheme: MSALAuthScheme { get }
    /// The name of the scheme in the `Authorization` header.
    var authenticationScheme: String { get }
}

/// The kinds of authentication scheme (MSAL for iOS and macOS, `MSALAuthScheme`).
public enum MSALAuthScheme: UInt, Sendable, CaseIterable {
    /// A token that any holder can use (RFC 6750).
    case bearer = 0
    /// A token that is bound to a key, which signs every use.
    case pop = 1
}

package enum TokenScheme: Sendable, Hashable {
    case bearer
    case pop(BoundRequest)

    /// For the `Authorization` header and, in any case, `token_type` (RFC 6750 §2.1, docs/upstream-behaviour.md §11).
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
