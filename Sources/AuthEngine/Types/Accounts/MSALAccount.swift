import Foundation
import OAuthCore

/// A user's account as the cache knows it (MSAL for iOS and macOS, `MSALAccount`).
///
/// Unchecked, because the class is open; everything stored is set by the initialiser alone.
open class MSALAccount: NSObject, MSALAccountProtocol, NSCopying, @unchecked Sendable {
    /// What to show a person. It may change and may occur twice; use ``identifier`` to find the account again.
    open internal(set) var username: String?

    /// Finds the account again (``MSALPublicClientApplication/account(forIdentifier:)``). Opaque: do not take it apart.
    open internal(set) var identifier: String?

    /// The host of the authority that issued the account.
    open internal(set) var environment: String

    /// What each tenant says of the account. `nil` on the account of a result, as upstream.
    open internal(set) var tenantProfiles: [MSALTenantProfile]?

    /// The account in its home tenant; one person has one, whatever tenants they are a guest in.
    open internal(set) var homeAccountId: MSALAccountId?

    /// Whether an identity broker, not the cache, knows the account.
    open internal(set) var isSSOAccount: Bool

    let claimValues: ProfileClaims?
    let recordedName: String?

    /// The claims of the home tenant's ID token; `nil` for an account known as a guest only.
    ///
    /// Of a listed account they are what the cache has when they are first asked for: to list thousands reads none of
    /// their tokens. `nil` also when the token is gone by then, or the cache cannot be read.
    open var accountClaims: [String: Any]? { claimValues?.all?.mapValues(\.foundationObject) }

    /// The person's name, as the last sign-in or a tenant's claims have it. Quicker than the claims, for which a token is
    /// read: for lists. An addition of this library.
    open var name: String? {
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

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Two accounts are one when their home accounts are, or, lacking those, when their user names are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAccount else { return false }
        if let identifier, let otherIdentifier = other.identifier { return identifier == otherIdentifier }
        return username?.lowercased() == other.username?.lowercased()
    }

    open override var hash: Int {
        // Accounts that are equal by user name alone may differ in having an identifier, so neither goes in.
        0
    }
}

/// The parts of a home account's identifier (MSAL for iOS and macOS, `MSALAccountId`).
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// Opaque: do not take it apart.
    public let identifier: String
    /// The account in the directory it is at home in; elsewhere than at Entra, the subject.
    public let objectId: String?
    /// The home tenant; `nil` when the identifier does not name one.
    public let tenantId: String?

    package init(identifier: String, objectId: String?, tenantId: String?) {
        self.identifier = identifier
        self.objectId = objectId
        self.tenantId = tenantId
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What this library and other stores know of an account (MSAL for iOS and macOS, the protocol `MSALAccount`).
public protocol MSALAccountProtocol {
    /// What to show a person.
    var username: String? { get }
    /// What the account is found by.
    var identifier: String? { get }
    /// The host of the authority that issued it.
    var environment: String { get }
    /// The claims of the home tenant's ID token.
    var accountClaims: [String: Any]? { get }
    /// What each tenant says of it.
    var tenantProfiles: [MSALTenantProfile]? { get }
    /// The account in its home tenant.
    var homeAccountId: MSALAccountId? { get }
    /// Whether an identity broker knows it.
    var isSSOAccount: Bool { get }
}
