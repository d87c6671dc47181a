import Foundation
import OAuthCore

/// A person's account as the cache knows it (MSAL for iOS and macOS, `MSALAccount`).
public final class MSALAccount: NSObject, MSALAccountProtocol, NSCopying, Sendable {
    /// What to show a person. It may change and may occur twice; use ``identifier`` to find the account again.
    public let username: String?

    /// Finds the account again (``MSALPublicClientApplication/account(forIdentifier:)``). Opaque: do not take it apart.
    public let identifier: String?

    /// The host of the authority that issued the account.
    public let environment: String

    /// What each tenant says of the account. `nil` on the account of a result, as upstream.
    public let tenantProfiles: [MSALTenantProfile]?

    /// The account in its home tenant; one person has one, whatever tenants they are a guest in.
    public let homeAccountId: MSALAccountId?

    /// Whether an identity broker, not the cache, knows the account.
    public let isSSOAccount: Bool

    let claimValues: ProfileClaims?
    let recordedName: String?

    /// The claims of the home tenant's ID token; `nil` for an account known as a guest only.
    ///
    /// Of a listed account they are what the cache has when they are first asked for: to list thousands reads none of
    /// their tokens. `nil` also when the token is gone by then, or the cache cannot be read.
    public var accountClaims: [String: Any]? { claimValues?.all?.mapValues(\.foundationObject) }

    /// The person's name, as the last sign-in or a tenant's claims have it. Quicker than the claims, for which a token is
    /// read: for lists. An addition of this library.
    public var name: String? {
        recordedName ?? claimValues?.name ?? tenantProfiles?.lazy.compactMap(\.name).first
    }

    package init(
        username: String?, homeAccountId: MSALAccountId?, environment: String, tenantProfiles: [MSALTenantProfile]?,
        claims: ProfileClaims?, name: String? = nil, isSSOAccount: Bool = false
    ) {
        self.username = username
        self.homeAccountId = homeAccountId
        identifier = homeAccountId?.identifier
        self.environment = environment
        self.tenantProfiles = tenantProfiles
        claimValues = claims
        recordedName = name
        self.isSSOAccount = isSSOAccount
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Two accounts are one when their home accounts are, or, lacking those, when their user names are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAccount else { return false }
        if let identifier, let otherIdentifier = other.identifier { return identifier == otherIdentifier }
        return username?.lowercased() == other.username?.lowercased()
    }

    public override var hash: Int {
        // Accounts that are equal by user name alone may differ in having an identifier, so neither goes in.
        0
    }
}
