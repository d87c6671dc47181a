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
