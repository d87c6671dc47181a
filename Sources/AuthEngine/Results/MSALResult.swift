import Foundation
import OAuthCore

/// A token and what came with it (MSAL for iOS and macOS, `MSALResult`).
public final class MSALResult: NSObject, Sendable {
    /// The access token; empty when the authority gave an ID token only. Secret.
    public let accessToken: String
    /// When the access token ends.
    public let expiresOn: Date?
    /// Whether the token is past its expiry and was given out because the authority is down.
    public let extendedLifeTimeToken: Bool
    /// The raw ID token. Secret.
    public let idToken: String?
    /// What was granted, which may be more than was asked for.
    public let scopes: [String]
    /// What the tenant that issued the tokens says of the account.
    public let tenantProfile: MSALTenantProfile
    /// Whose token it is.
    public let account: MSALAccount
    /// Whom to ask next time.
    public var authority: MSALAuthority { .of(authorityValue) }
    private let authorityValue: Authority
    /// What the request is logged under.
    public let correlationId: UUID
    /// "Bearer", as in the `Authorization` header.
    public let authenticationScheme: String

    private let judgeIDToken: @Sendable () -> [MSALIDTokenVerdict]
    /// Whether the access token was in the cache. An addition of this library.
    public let isFromCache: Bool

    /// What each rule says of the ID token: when it came, or for a cached one when this is read. An addition of this
    /// library.
    public var idTokenVerdicts: [MSALIDTokenVerdict] { judgeIDToken() }

    /// The value of the `Authorization` header for a resource (RFC 6750 §2.1); empty without an access token. Secret.
    public var authorizationHeader: String { accessToken.isEmpty ? "" : "\(authenticationScheme) \(accessToken)" }

    package init(
        accessToken: String, expiresOn: Date?, idToken: String?, scopes: [String], tenantProfile: MSALTenantProfile,
        account: MSALAccount, authority: Authority, correlationId: UUID,
        idTokenVerdicts: @escaping @Sendable () -> [MSALIDTokenVerdict],
        isFromCache: Bool, extendedLifeTimeToken: Bool = false, authenticationScheme: String = "Bearer"
    ) {
        self.accessToken = accessToken
        self.expiresOn = expiresOn
        self.idToken = idToken
        self.scopes = scopes
        self.tenantProfile = tenantProfile
        self.account = account
        authorityValue = authority
        self.correlationId = correlationId
        judgeIDToken = idTokenVerdicts
        self.isFromCache = isFromCache
        self.extendedLifeTimeToken = extendedLifeTimeToken
        self.authenticationScheme = authenticationScheme
    }

    /// The same tokens, as the answer to another request.
    func answering(_ correlationID: UUID) -> MSALResult {
        MSALResult(
            accessToken: accessToken, expiresOn: expiresOn, idToken: idToken, scopes: scopes,
            tenantProfile: tenantProfile, account: account, authority: authorityValue, correlationId: correlationID,
            idTokenVerdicts: judgeIDToken, isFromCache: isFromCache, extendedLifeTimeToken: extendedLifeTimeToken,
            authenticationScheme: authenticationScheme)
    }

    /// Never the tokens: a result that is printed by mistake stays harmless.
    public override var description: String { "MSALResult(\(account.username ?? "account"), \(scopes.count) scopes)" }
}
