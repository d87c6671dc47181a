import Foundation
import OAuthCore

/// The result of a flow, before it becomes an ``MSALResult``.
struct TokenOutcome: Sendable {
    /// The text to send to a resource.
    var accessToken: Secret?
    /// The scheme of the `Authorization` header.
    var schemeName = "Bearer"
    var expiresOn: Date?
    /// When the sign-in ends at the latest, if the authority ever said so.
    var signInExpiry: MSALSignInExpiry?
    var scopes: Scopes
    var idToken: Secret?
    var claims: ProfileClaims?
    /// Validates the ID token on demand, because that takes longer than finding a cached token.
    var verdicts: @Sendable () -> [Verdict]
    var account: CachedAccount
    var profile: CachedAccount.Profile
    var authority: Authority
    var isFromCache: Bool
    /// The time until which the cache returns the same outcome, or `nil` when each one differs.
    var isGoodUntil: Date?
    /// Whether an identity broker returned the tokens and knows the account.
    var isFromBroker = false
    /// Whether the token has expired and is returned because the authority is unavailable.
    var isExtendedLifetime = false
    /// The entries to save, or `nil` for a cached token.
    var grant: TokenGrant?
    /// Why the entries could not be saved.
    var unsaved: CredentialStoreFailure?
    /// The error for declined scopes, thrown after the tokens are saved.
    var declined: AuthenticationFailure?
}

/// A valid ID token with the result of each rule.
struct JudgedIDToken: Sendable {
    var raw: Secret
    var token: JWT
    var verdicts: [Verdict]
}

extension MSALResult {
    convenience init(_ outcome: TokenOutcome, correlationID: UUID) {
        let contents = MSALResultContents(
            accessToken: outcome.accessToken?.reveal() ?? "", expiresOn: outcome.expiresOn,
            signInExpiry: outcome.signInExpiry, extendedLifeTimeToken: outcome.isExtendedLifetime,
            idToken: outcome.idToken?.reveal(), scopes: outcome.scopes.names,
            tenantProfile: MSALTenantProfile(outcome.profile, environment: outcome.account.environment),
            account: MSALAccount(outcome.account, includesProfiles: false, isSSOAccount: outcome.isFromBroker),
            authority: outcome.authority, authenticationScheme: outcome.schemeName, isFromCache: outcome.isFromCache,
            unsaved: outcome.unsaved,
            idTokenVerdicts: { [verdicts = outcome.verdicts] in verdicts().map(MSALIDTokenVerdict.init) })
        self.init(contents, correlationID: correlationID)
    }
}

extension MSALIDTokenVerdict {
    init(_ verdict: Verdict) {
        let outcome: Outcome =
            switch verdict.outcome {
            case .passed: .passed
            case .failed: .failed
            case .warning: .warning
            case .skipped: .skipped
            }
        self.init(rule: verdict.rule.rawValue, outcome: outcome, explanation: verdict.explanation)
    }
}

extension MSALTenantProfile {
    convenience init(_ profile: CachedAccount.Profile, environment: String) {
        self.init(
            identifier: profile.localAccountID, environment: environment, tenantId: profile.tenantID,
            isHomeTenantProfile: profile.isHome, claims: profile.claims)
    }
}

extension MSALAccount {
    /// Creates an account. As in MSAL for iOS and macOS, the accounts of results have no tenant profiles.
    convenience init(_ account: CachedAccount, includesProfiles: Bool, isSSOAccount: Bool = false) {
        self.init(
            username: account.username,
            homeAccountId: MSALAccountId(
                account.homeAccountID, isOpenID: account.profiles.contains(where: \.isOpenID)),
            environment: account.environment,
            tenantProfiles: includesProfiles
                ? account.profiles.map { MSALTenantProfile($0, environment: account.environment) } : nil,
            claims: account.profiles.first(where: \.isHome)?.claims,
            name: account.profiles.lazy.compactMap(\.name).first, isSSOAccount: isSSOAccount)
    }
}
