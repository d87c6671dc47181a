import Foundation
import OAuthCore

/// The profile of an account in one tenant (MSAL for iOS and macOS, `MSALTenantProfile`).
public final class MSALTenantProfile: NSObject, NSCopying, Sendable {
    /// The account's object ID in this tenant, or its subject.
    public let identifier: String?
    /// The host of the authority that issued the profile.
    public let environment: String?
    /// The tenant, or `nil` at an OpenID provider without tenants.
    public let tenantId: String?
    /// Whether this is the home tenant of the account.
    public let isHomeTenantProfile: Bool
    let claimValues: ProfileClaims?

    /// The claims of the tenant's ID token.
    ///
    /// A listed account reads them from the cache at the first access. They are `nil` when the token is gone or the
    /// cache can't be read.
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
