import Foundation
import OAuthCore

/// The contents of a result that several requests can share: everything but the correlation ID.
package final class MSALResultContents: Sendable {
    /// First, so that this frequently read member shares a cache line with the reference count.
    let isFromCache: Bool
    let accessToken: String
    let expiresOn: Date?
    let signInExpiry: MSALSignInExpiry?
    let extendedLifeTimeToken: Bool
    let idToken: String?
    let scopes: [String]
    let tenantProfile: MSALTenantProfile
    let account: MSALAccount
    let authority: Authority
    let authenticationScheme: String
    /// Why the tokens could not be cached.
    let unsaved: CredentialStoreFailure?
    let idTokenVerdicts: @Sendable () -> [MSALIDTokenVerdict]

    /// The size of the tokens in bytes.
    var weight: Int { accessToken.utf8.count + (idToken?.utf8.count ?? 0) }

    package init(
        accessToken: String, expiresOn: Date?, signInExpiry: MSALSignInExpiry? = nil,
        extendedLifeTimeToken: Bool = false, idToken: String?, scopes: [String], tenantProfile: MSALTenantProfile,
        account: MSALAccount, authority: Authority, authenticationScheme: String = "Bearer",
        isFromCache: Bool, unsaved: CredentialStoreFailure? = nil,
        idTokenVerdicts: @escaping @Sendable () -> [MSALIDTokenVerdict] = { [] }
    ) {
        self.accessToken = accessToken
        self.expiresOn = expiresOn
        self.signInExpiry = signInExpiry
        self.extendedLifeTimeToken = extendedLifeTimeToken
        self.idToken = idToken
        self.scopes = scopes
        self.tenantProfile = tenantProfile
        self.account = account
        self.authority = authority
        self.authenticationScheme = authenticationScheme
        self.isFromCache = isFromCache
        self.unsaved = unsaved
        self.idTokenVerdicts = idTokenVerdicts
    }

    static let empty = MSALResultContents(
        accessToken: "", expiresOn: nil, idToken: nil, scopes: [],
        tenantProfile: MSALTenantProfile(
            identifier: nil, environment: nil, tenantId: nil, isHomeTenantProfile: false, claims: nil),
        account: MSALAccount(username: nil, homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil),
        authority: AuthorityRules.common, isFromCache: false)
}
