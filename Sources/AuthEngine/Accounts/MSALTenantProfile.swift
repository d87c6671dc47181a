import Foundation
import OAuthCore

/// What one tenant says of an account (MSAL for iOS and macOS, `MSALTenantProfile`).
public final class MSALTenantProfile: NSObject, NSCopying, Sendable {
    /// The account's object ID in this tenant, or its subject.
    public let identifier: String?
    public let environment: String?
    public let tenantId: String?
    public let isHomeTenantProfile: Bool
    private let claimValues: [String: JSONValue]?

    /// The claims of the tenant's ID token.
    public var claims: [String: Any]? { claimValues?.mapValues(\.foundationObject) }

    package init(
        identifier: String?, environment: String?, tenantId: String?, isHomeTenantProfile: Bool,
        claims: [String: JSONValue]?
    ) {
        self.identifier = identifier
        self.environment = environment
        self.tenantId = tenantId
        self.isHomeTenantProfile = isHomeTenantProfile
        claimValues = claims
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
