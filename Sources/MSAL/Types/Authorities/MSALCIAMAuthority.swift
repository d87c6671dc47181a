import Foundation
import OAuthCore

/// Microsoft Entra External ID (MSAL for iOS and macOS, `MSALCIAMAuthority`).
open class MSALCIAMAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Microsoft Entra External ID. Throws for the URL of any other kind.
    public convenience init(url: URL) throws {
        try self.init(url: url, validateFormat: false)
    }

    /// Creates an authority of Microsoft Entra External ID. With `validateFormat`, the host must be under
    /// ciamlogin.com; otherwise it can be a tenant's own domain.
    public init(url: URL, validateFormat: Bool) throws {
        super.init(value: try Self.make(url, AuthorityRules.ciam(url, validatesFormat: validateFormat)))
    }
}
