import Foundation
import OAuthCore

/// The result of a token request (MSAL for iOS and macOS, `MSALResult`).
///
/// `@unchecked Sendable` because the class is open; its stored properties are immutable and `Sendable`.
open class MSALResult: NSObject, @unchecked Sendable {
    /// The access token. Empty when the authority issued only an ID token. Secret.
    open var accessToken: String { contents.accessToken }
    /// The time at which the access token expires.
    open var expiresOn: Date? { contents.expiresOn }
    /// Whether the token has expired and is returned within its extended lifetime because the authority is unavailable.
    open var extendedLifeTimeToken: Bool { contents.extendedLifeTimeToken }
    /// The encoded ID token. Secret.
    open var idToken: String? { contents.idToken }
    /// The granted scopes, which may exceed the requested ones.
    open var scopes: [String] { contents.scopes }
    /// The profile of the account in the tenant that issued the tokens.
    open var tenantProfile: MSALTenantProfile { contents.tenantProfile }
    /// The account that the token belongs to.
    open var account: MSALAccount { contents.account }
    /// The authority to use for the next request.
    open var authority: MSALAuthority { .of(contents.authority) }
    /// The ID of the request in logs.
    open var correlationId: UUID { requestID }
    /// The scheme for the `Authorization` header, such as "Bearer".
    open var authenticationScheme: String { contents.authenticationScheme }

    /// When the sign-in ends at the latest, or `nil` if the authority never said. Not in MSAL for iOS and macOS.
    open var signInExpiry: MSALSignInExpiry? { contents.signInExpiry }

    /// Whether the access token came from the cache. Not in MSAL for iOS and macOS.
    open var isFromCache: Bool { contents.isFromCache }

    /// Why the tokens could not be cached, or `nil`. The access token is valid, but the next request may need a sign-in.
    /// Not in MSAL for iOS and macOS.
    open var cachingError: MSALAuthenticationError? {
        contents.unsaved.map { MSALAuthenticationError(.store($0), correlationID: correlationId) }
    }

    /// The result of each validation rule for the ID token. Not in MSAL for iOS and macOS.
    ///
    /// A new token is validated when it arrives, a cached one when this property is read.
    open var idTokenVerdicts: [MSALIDTokenVerdict] { contents.idTokenVerdicts() }

    /// The value of the `Authorization` header for a resource (RFC 6750 §2.1); empty without an access token. Secret.
    open var authorizationHeader: String { accessToken.isEmpty ? "" : "\(authenticationScheme) \(accessToken)" }

    let contents: MSALResultContents
    private let requestID: UUID

    /// Creates a result without a token, for subclasses in a program's own tests.
    public override init() {
        contents = .empty
        requestID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    package init(_ contents: MSALResultContents, correlationID: UUID) {
        self.contents = contents
        requestID = correlationID
    }

    package convenience init(
        accessToken: String, authenticationScheme: String, expiresOn: Date?, scopes: [String], account: MSALAccount,
        correlationID: UUID
    ) {
        let contents = MSALResultContents(
            accessToken: accessToken, expiresOn: expiresOn, idToken: nil, scopes: scopes,
            tenantProfile: MSALResultContents.empty.tenantProfile, account: account, authority: AuthorityRules.common,
            authenticationScheme: authenticationScheme, isFromCache: true)
        self.init(contents, correlationID: correlationID)
    }

    /// A description without the tokens, so that printing a result exposes no secret.
    open override var description: String { "MSALResult(\(account.username ?? "account"), \(scopes.count) scopes)" }
}

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
    let unsaved: CredentialStoreFailure?
    let idTokenVerdicts: @Sendable () -> [MSALIDTokenVerdict]

    /// The size of the tokens in bytes.
    var weight: Int { accessToken.utf8.count + (idToken?.utf8.count ?? 0) }

    package init(
        accessToken: String, expiresOn: Date?, signInExpiry: MSALSignInExpiry? = nil,
        extendedLifeTimeToken: Bool = false, idToken: String?, scopes: [String], tenantProfile: MSALTenantProfile,
        account: MSALAccount, authority: Authority, authenticationScheme: String = "Bearer", isFromCache: Bool,
        unsaved: CredentialStoreFailure? = nil, idTokenVerdicts: @escaping @Sendable () -> [MSALIDTokenVerdict] = { [] }
    ) {
        (self.accessToken, self.expiresOn) = (accessToken, expiresOn)
        (self.signInExpiry, self.extendedLifeTimeToken) = (signInExpiry, extendedLifeTimeToken)
        (self.idToken, self.scopes) = (idToken, scopes)
        (self.tenantProfile, self.account) = (tenantProfile, account)
        (self.authority, self.authenticationScheme) = (authority, authenticationScheme)
        (self.isFromCache, self.unsaved) = (isFromCache, unsaved)
        self.idTokenVerdicts = idTokenVerdicts
    }

    static let empty = MSALResultContents(
        accessToken: "", expiresOn: nil, idToken: nil, scopes: [],
        tenantProfile: MSALTenantProfile(
            identifier: nil, environment: nil, tenantId: nil, isHomeTenantProfile: false, claims: nil),
        account: MSALAccount(username: nil, homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil),
        authority: AuthorityRules.common, isFromCache: false)
}
