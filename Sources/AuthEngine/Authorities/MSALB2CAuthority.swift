import Foundation
import OAuthCore

/// Azure AD B2C (MSAL for iOS and macOS, `MSALB2CAuthority`).
open class MSALB2CAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// An authority of Azure AD B2C by its address. Throws for any other kind.
    public init(url: URL) throws {
        super.init(value: try Self.make(url) { (url) throws(AuthorityRejection) in try AuthorityRules.b2c(url) })
    }
}
