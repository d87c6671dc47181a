import Foundation
import OAuthCore

/// A user's account in the cache (MSAL for iOS and macOS, `MSALAccount`).
///
/// `@unchecked Sendable` because the class is open; only the initialiser sets its stored properties.
open class MSALAccount: NSObject, MSALAccountProtocol, NSCopying, @unchecked Sendable {
    /// The username to display. It may change and is not unique; use ``identifier`` to find the account again.
    open internal(set) var username: String?

    /// The opaque identifier of the account. Pass it to ``MSALPublicClientApplication/account(forIdentifier:)``.
    open internal(set) var identifier: String?

    /// The host of the authority that issued the account.
    open internal(set) var environment: String

    /// The profile of the account in each tenant. `nil` on the account of a result, as in MSAL for iOS and macOS.
    open internal(set) var tenantProfiles: [MSALTenantProfile]?

    /// The account in its home tenant. A user has one, however many tenants they are a guest in.
    open internal(set) var homeAccountId: MSALAccountId?

    /// Whether the account comes from an identity broker instead of the cache.
    open internal(set) var isSSOAccount: Bool

    let claimValues: ProfileClaims?
    let recordedName: String?

    /// The claims of the home tenant's ID token, or `nil` for an account known only as a guest.
    ///
    /// A listed account reads them from the cache at the first access, so that listing thousands of accounts reads no
    /// tokens. They are also `nil` when that token is gone or the cache can't be read.
    open var accountClaims: [String: Any]? { claimValues?.all?.mapValues(\.foundationObject) }

    /// The user's display name, from the last sign-in or a tenant's claims. Not in MSAL for iOS and macOS.
    ///
    /// Faster than ``accountClaims``, which reads a token, and so suited to lists.
    open var name: String? { recordedName ?? claimValues?.name ?? tenantProfiles?.lazy.compactMap(\.name).first }

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

    /// Compares identifiers, or usernames when either account lacks an identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAccount else { return false }
        if let identifier, let otherIdentifier = other.identifier { return identifier == otherIdentifier }
        return username?.lowercased() == other.username?.lowercased()
    }

    open override var hash: Int {
        // Constant: accounts can be equal by username although only one has an identifier.
        0
    }
}

/// The parts of a home account identifier (MSAL for iOS and macOS, `MSALAccountId`).
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// The whole identifier. Opaque.
    public let identifier: String
    /// The object ID in the home tenant, or the subject at other providers than Microsoft Entra ID.
    public var objectId: String? { String(identifier.utf8.prefix(dot ?? identifier.utf8.count)) }
    /// The home tenant, or `nil` when the identifier names none.
    public var tenantId: String? { isOpenID ? nil : dot.flatMap { String(identifier.utf8.dropFirst($0 + 1)) } }

    /// The object ID's length in UTF-8, if a dot follows. Parts are copied when read: lists can be long.
    private let dot: Int?
    private let isOpenID: Bool

    /// `isOpenID`: whether the suffix identifies the issuer instead of a tenant.
    package init(_ homeAccountID: String, isOpenID: Bool = false) {
        identifier = homeAccountID
        self.isOpenID = isOpenID
        var identifier = homeAccountID
        dot = identifier.withUTF8 { bytes in
            isOpenID ? bytes.lastIndex(of: UInt8(ascii: ".")) : bytes.firstIndex(of: UInt8(ascii: "."))
        }
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The properties that accounts of this library and of other stores share (MSAL for iOS and macOS, the protocol
/// `MSALAccount`).
public protocol MSALAccountProtocol {
    /// The username to display.
    var username: String? { get }
    /// The opaque identifier of the account.
    var identifier: String? { get }
    /// The host of the authority that issued the account.
    var environment: String { get }
    /// The claims of the home tenant's ID token.
    var accountClaims: [String: Any]? { get }
    /// The profile of the account in each tenant.
    var tenantProfiles: [MSALTenantProfile]? { get }
    /// The account in its home tenant.
    var homeAccountId: MSALAccountId? { get }
    /// Whether the account comes from an identity broker.
    var isSSOAccount: Bool { get }
}

/// A store of accounts outside the cache (MSAL for iOS and macOS, `MSALExternalAccountProviding`).
///
/// The library calls a provider from any thread, but makes one call at a time per application.
public protocol MSALExternalAccountProviding {
    /// Called after a token response updated an account. The library logs an error thrown here and continues.
    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws

    /// Called after an account was removed from this application. With `wipeAccount`, it was removed from every
    /// application that shares the cache.
    func remove(
        _ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws

    /// Returns the accounts that match. The library logs an error thrown here and still lists the cached accounts.
    @discardableResult
    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol]
}

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
        identifier: String?, environment: String?, tenantId: String?, isHomeTenantProfile: Bool, claims: ProfileClaims?
    ) {
        (self.identifier, self.environment) = (identifier, environment)
        (self.tenantId, self.isHomeTenantProfile) = (tenantId, isHomeTenantProfile)
        claimValues = claims
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
