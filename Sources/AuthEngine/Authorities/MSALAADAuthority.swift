import Foundation
import OAuthCore

/// Microsoft Entra ID (MSAL for iOS and macOS, `MSALAADAuthority`).
public final class MSALAADAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    public convenience init(url: URL) throws {
        try self.init(url: url, rawTenant: nil)
    }

    /// `rawTenant` replaces the tenant of the address.
    public init(url: URL, rawTenant: String?) throws {
        super.init(
            value: try Self.make(url) { (url) throws(AuthorityRejection) in
                try AuthorityRules.aad(url, rawTenant: rawTenant)
            })
    }
}
