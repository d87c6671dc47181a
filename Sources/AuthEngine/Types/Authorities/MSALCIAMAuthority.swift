import Foundation
import OAuthCore

/// Microsoft Entra External ID (MSAL for iOS and macOS, `MSALCIAMAuthority`).
open class MSALCIAMAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// An authority of Entra External ID by its address. Throws for any other kind.
    public convenience init(url: URL) throws {
        try self.init(url: url, validateFormat: false)
    }

    /// `validateFormat`: the host must be a ciamlogin.com one; otherwise it may be a tenant's own domain.
    public init(url: URL, validateFormat: Bool) throws {
        super.init(
            value: try Self.make(url) { (url) throws(AuthorityRejection) in
                try AuthorityRules.ciam(url, validatesFormat: validateFormat)
            })
    }
}
