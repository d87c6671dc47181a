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
