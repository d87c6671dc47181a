/// What this library and other stores know of an account (MSAL for iOS and macOS, the protocol `MSALAccount`).
public protocol MSALAccountProtocol {
    var username: String? { get }
    var identifier: String? { get }
    var environment: String { get }
    var accountClaims: [String: Any]? { get }
    var tenantProfiles: [MSALTenantProfile]? { get }
    var homeAccountId: MSALAccountId? { get }
    var isSSOAccount: Bool { get }
}
