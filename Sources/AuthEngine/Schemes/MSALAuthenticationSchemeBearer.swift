import Foundation

/// Plain bearer tokens (RFC 6750): the scheme of every request that names no other.
open class MSALAuthenticationSchemeBearer: NSObject, MSALAuthenticationSchemeProtocol {
    /// Which scheme it is.
    public var scheme: MSALAuthScheme { .bearer }
    public var authenticationScheme: String { "Bearer" }

    public override init() {}
}
