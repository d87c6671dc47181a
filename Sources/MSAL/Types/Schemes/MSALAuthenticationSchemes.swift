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
        httpMethod: MSALHttpMethod, request requestUrl: URL, nonce: String?,
        additionalParameters: [AnyHashable: Any]?
    ) {
        bound = BoundRequest(
            method: MSALParameterStringForHttpMethod(httpMethod), url: requestUrl, nonce: nonce)
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
