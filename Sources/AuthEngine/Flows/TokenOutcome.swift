import Foundation
import OAuthCore

/// What a flow ends with, before it becomes an ``MSALResult``.
struct TokenOutcome: Sendable {
    /// As a resource is to be given it.
    var accessToken: Secret?
    /// As in the `Authorization` header.
    var schemeName = "Bearer"
    var expiresOn: Date?
    var scopes: Scopes
    var idToken: Secret?
    var claims: ProfileClaims?
    /// Asked for when somebody looks: judging a cached token costs more than finding it.
    var verdicts: @Sendable () -> [Verdict]
    var account: CachedAccount
    var profile: CachedAccount.Profile
    var authority: Authority
    var isFromCache: Bool
    /// Until when the cache gives the same answer; `nil` when it is another each time.
    var isAnswerUntil: Date?
    /// An identity broker gave it, and knows the account.
    var isFromBroker = false
    /// Past its expiry, and given out because the authority is down.
    var isExtendedLifetime = false
    /// What is to be saved; `nil` when it came from the cache.
    var grant: TokenGrant?
    /// Scopes that were asked for and not granted, as the failure to report although the tokens are saved.
    var declined: AuthenticationFailure?
}

/// An ID token that passed, with what each rule said.
struct JudgedIDToken: Sendable {
    var raw: Secret
    var token: JWT
    var verdicts: [Verdict]
}

extension MSALResult {
    convenience init(_ outcome: TokenOutcome, correlationID: UUID) {
        let profile = MSALTenantProfile(outcome.profile, environment: outcome.account.environment)
        self.init(
            accessToken: outcome.accessToken?.reveal() ?? "", expiresOn: outcome.expiresOn,
            idToken: outcome.idToken?.reveal(), scopes: outcome.scopes.names, tenantProfile: profile,
            account: MSALAccount(
                outcome.account, includesProfiles: false, isSSOAccount: outcome.isFromBroker),
            authority: outcome.authority,
            correlationId: correlationID,
            idTokenVerdicts: { [verdicts = outcome.verdicts] in verdicts().map(MSALIDTokenVerdict.init) },
            isFromCache: outcome.isFromCache, extendedLifeTimeToken: outcome.isExtendedLifetime,
            authenticationScheme: outcome.schemeName)
    }
}

extension MSALIDTokenVerdict {
    init(_ verdict: Verdict) {
        let outcome: Outcome =
            switch verdict.outcome {
            case .met: .met
            case .failed: .failed
            case .warned: .warned
            case .notChecked: .notChecked
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
    /// Results carry no tenant profiles, listed accounts do, as upstream.
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

extension MSALAccountId {
    /// - Parameter isOpenID: the account is at an OpenID provider. What stands behind its subject tells issuers apart, and
    ///   is no tenant.
    convenience init(_ homeAccountID: String, isOpenID: Bool = false) {
        let utf8 = homeAccountID.utf8
        let dot = isOpenID ? utf8.lastIndex(of: UInt8(ascii: ".")) : utf8.firstIndex(of: UInt8(ascii: "."))
        self.init(
            identifier: homeAccountID, objectId: String(homeAccountID[..<(dot ?? utf8.endIndex)]),
            tenantId: isOpenID ? nil : dot.map { String(homeAccountID[utf8.index(after: $0)...]) })
    }
}
