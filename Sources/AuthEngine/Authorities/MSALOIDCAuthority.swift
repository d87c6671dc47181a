import Foundation
import OAuthCore

/// Any OpenID provider, by its issuer's address. An addition of this library.
open class MSALOIDCAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// An OpenID provider by its issuer. Throws for what no issuer can be.
    public init(url: URL) throws {
        super.init(value: try Self.make(url) { (url) throws(AuthorityRejection) in try AuthorityRules.openID(url) })
    }
}
