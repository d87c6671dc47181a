import Foundation
import OAuthCore

/// What one tenant says of an account (MSAL for iOS and macOS, `MSALTenantProfile`).
public final class MSALTenantProfile: NSObject, NSCopying, Sendable {
    /// The account's object ID in this tenant, or its subject.
    public let identifier: String?
    /// The host of the authority that issued it.
    public let environment: String?
    /// The tenant; `nil` at an OpenID provider, which has none.
    public let tenantId: String?
    /// Whether the account is at home in this tenant, not a guest.
    public let isHomeTenantProfile: Bool
    let claimValues: ProfileClaims?

    /// The claims of the tenant's ID token. Of a listed account they are what the cache has when they are first asked
    /// for; `nil` also when the token is gone by then, or the cache cannot be read.
    public var claims: [String: Any]? { claimValues?.all?.mapValues(\.foundationObject) }

    var name: String? { claimValues?.name }

    package init(
        identifier: String?, environment: String?, tenantId: String?, isHomeTenantProfile: Bool,
        claims: ProfileClaims?
    ) {
        self.identifier = identifier
        self.environment = environment
        self.tenantId = tenantId
        self.isHomeTenantProfile = isHomeTenantProfile
        claimValues = claims
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
