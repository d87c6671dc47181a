import Foundation
import OAuthCore

/// A token and what came with it (MSAL for iOS and macOS, `MSALResult`).
///
/// Unchecked, because the class is open; everything stored is immutable and `Sendable`.
open class MSALResult: NSObject, @unchecked Sendable {
    /// The access token; empty when the authority gave an ID token only. Secret.
    open var accessToken: String { contents.accessToken }
    /// When the access token ends.
    open var expiresOn: Date? { contents.expiresOn }
    /// Whether the token is past its expiry and was given out because the authority is down.
    open var extendedLifeTimeToken: Bool { contents.extendedLifeTimeToken }
    /// The raw ID token. Secret.
    open var idToken: String? { contents.idToken }
    /// What was granted, which may be more than was asked for.
    open var scopes: [String] { contents.scopes }
    /// What the tenant that issued the tokens says of the account.
    open var tenantProfile: MSALTenantProfile { contents.tenantProfile }
    /// Whose token it is.
    open var account: MSALAccount { contents.account }
    /// Whom to ask next time.
    open var authority: MSALAuthority { .of(contents.authority) }
    /// What the request is logged under.
    open var correlationId: UUID { requestID }
    /// "Bearer", as in the `Authorization` header.
    open var authenticationScheme: String { contents.authenticationScheme }

    /// Whether the access token was in the cache. An addition of this library.
    open var isFromCache: Bool { contents.isFromCache }

    /// What each rule says of the ID token: when it came, or for a cached one when this is read. An addition of this
    /// library.
    open var idTokenVerdicts: [MSALIDTokenVerdict] { contents.idTokenVerdicts() }

    /// The value of the `Authorization` header for a resource (RFC 6750 §2.1); empty without an access token. Secret.
    open var authorizationHeader: String { accessToken.isEmpty ? "" : "\(authenticationScheme) \(accessToken)" }

    let contents: MSALResultContents
    private let requestID: UUID

    /// A result without a token, as upstream's `init()` makes: for a subclass of a program's own tests.
    public override init() {
        contents = .empty
        requestID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    init(_ contents: MSALResultContents, correlationID: UUID) {
        self.contents = contents
        requestID = correlationID
    }

    package convenience init(
        accessToken: String, expiresOn: Date?, idToken: String?, scopes: [String], tenantProfile: MSALTenantProfile,
        account: MSALAccount, authority: Authority, correlationId: UUID,
        idTokenVerdicts: @escaping @Sendable () -> [MSALIDTokenVerdict],
        isFromCache: Bool, extendedLifeTimeToken: Bool = false, authenticationScheme: String = "Bearer"
    ) {
        self.init(
            MSALResultContents(
                accessToken: accessToken, expiresOn: expiresOn, extendedLifeTimeToken: extendedLifeTimeToken,
                idToken: idToken, scopes: scopes, tenantProfile: tenantProfile, account: account, authority: authority,
                authenticationScheme: authenticationScheme, isFromCache: isFromCache,
                idTokenVerdicts: idTokenVerdicts),
            correlationID: correlationId)
    }

    /// Never the tokens: a result that is printed by mistake stays harmless.
    open override var description: String { "MSALResult(\(account.username ?? "account"), \(scopes.count) scopes)" }
}
