import Foundation

/// Tokens that are bound to a key and to one request (MSAL for iOS and macOS, `MSALAuthenticationSchemePop`).
///
/// ``MSALResult/accessToken`` is then a signed HTTP request that holds the access token: good for one request with this
/// method and address. The key is kept beside the token store.
open class MSALAuthenticationSchemePop: NSObject, MSALAuthenticationSchemeProtocol {
    /// Which scheme it is.
    open var scheme: MSALAuthScheme { .pop }
    open var authenticationScheme: String { "Pop" }

    /// Kept so that code which gives them compiles; upstream does not use them either.
    let additionalParameters: [AnyHashable: Any]?
    let bound: BoundRequest

    /// `nonce`: what the resource gave; a random one otherwise.
    public init(
        httpMethod: MSALHttpMethod, request requestUrl: URL, nonce: String?,
        additionalParameters: [AnyHashable: Any]?
    ) {
        bound = BoundRequest(
            method: MSALParameterStringForHttpMethod(httpMethod), url: requestUrl, nonce: nonce)
        self.additionalParameters = additionalParameters
    }
}

/// Plain bearer tokens (RFC 6750): the scheme of every request that names no other.
open class MSALAuthenticationSchemeBearer: NSObject, MSALAuthenticationSchemeProtocol {
    /// Which scheme it is.
    public var scheme: MSALAuthScheme { .bearer }
    public var authenticationScheme: String { "Bearer" }

    public override init() {}
}

/// How the tokens of a request are to be used (MSAL for iOS and macOS, `MSALAuthenticationSchemeProtocol`).
public protocol MSALAuthenticationSchemeProtocol {
    /// Which scheme it is.
    var scheme: MSALAuthScheme { get }
    /// As it stands in the `Authorization` header.
    var authenticationScheme: String { get }
}

/// How a token proves who may use it (MSAL for iOS and macOS, `MSALAuthScheme`).
public enum MSALAuthScheme: UInt, Sendable, CaseIterable {
    /// Whoever has it may use it (RFC 6750).
    case bearer = 0
    /// It is bound to a key, and every use is signed with it.
    case pop = 1
}
