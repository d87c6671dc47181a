import Foundation
import OAuthCore

/// The result of a flow, before it becomes an ``MSALResult``.
struct TokenOutcome: Sendable {
    var accessToken: Secret?
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
    /// Why the tokens could not be cached.
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
            homeAccountId: MSALAccountId(account.homeAccountID, isOpenID: account.profiles.contains(where: \.isOpenID)),
            environment: account.environment,
            tenantProfiles: includesProfiles
                ? account.profiles.map { MSALTenantProfile($0, environment: account.environment) } : nil,
            claims: account.profiles.first(where: \.isHome)?.claims,
            name: account.profiles.lazy.compactMap(\.name).first, isSSOAccount: isSSOAccount)
    }
}

/// The account that a token response belongs to (docs/upstream-behaviour.md §10).
struct SignedInIdentity {
    var homeAccountID: String
    var profile: CachedAccount.Profile
    /// The server's original text.
    var clientInfo: String?

    /// Reads the home account from `client_info` at Microsoft Entra ID, elsewhere from subject and issuer. The account of a
    /// resource can lack a subject, because its server need not be an OpenID provider. A refresh may omit both and then belongs
    /// to `previous`. A sign-in needs an ID token, because `client_info` isn't signed.
    init(
        of response: TokenResponse, _ claims: IDTokenClaims?, from authority: ResolvedAuthority,
        previous: CachedAccount?, resource: MSALProtectedResource? = nil
    ) throws {
        if authority.speaksEntra, let info = response.clientInfo, let claims {
            self.init(info, claims)
        } else if let resource, claims?.subject != nil || previous == nil {
            self.init(claims, at: authority, for: resource, previous)
        } else if !authority.speaksEntra, let claims, let subject = claims.subject {
            self.init(subject: subject, claims, at: authority)
        } else if let previous, let profile = previous.profiles.first {
            self.init(previous, profile, claims)
            if authority.speaksEntra, let info = response.clientInfo {
                (homeAccountID, clientInfo) = (info.homeAccountID, info.raw)
            }
        } else if authority.authority.oauthServer != nil {
            // All that is known of the user is the server.
            self.init(subject: authority.authority.environment, nil, at: authority)
        } else {
            throw authority.speaksEntra && claims != nil
                ? AuthenticationFailure.authority(.clientInfoMissing)
                : .authority(.malformedResponse(.missing(member: "id_token")))
        }
        // These values of the ID token become parts of keys.
        guard ![homeAccountID, profile.realm, profile.localAccountID ?? ""].contains(where: \.hasControlCharacter)
        else { throw AuthenticationFailure.authority(.malformedResponse(.controlCharacter(member: "id_token"))) }
    }

    private init(_ info: ClientInfo, _ claims: IDTokenClaims) {
        homeAccountID = info.homeAccountID
        let realm = (claims.tenantID ?? info.utid).lowercased()
        profile = CachedAccount.Profile(
            claims, localAccountID: claims.objectID ?? claims.subject ?? info.uid, realm: realm,
            isHome: realm == info.utid.lowercased(), type: CachedAccount.Profile.entraType)
        clientInfo = info.raw
    }

    /// Resources never share tokens, so each has its own accounts. Without a subject, resource and issuer are all that is known.
    private init(
        _ claims: IDTokenClaims?, at authority: ResolvedAuthority, for resource: MSALProtectedResource,
        _ previous: CachedAccount?
    ) {
        let name = resource.accountName ?? previous?.username ?? claims?.preferredUsername ?? claims?.email
        let subject = claims?.subject ?? resource.accountName ?? ""
        homeAccountID = "\(subject)\(resource.mark)\(authority.issuerFingerprint)"
        profile = CachedAccount.Profile(
            claims, localAccountID: subject.isEmpty ? resource.identifier : subject, realm: authority.realm)
        profile.username = name ?? resource.title
    }

    private init(subject: String, _ claims: IDTokenClaims?, at authority: ResolvedAuthority) {
        homeAccountID = "\(subject).\(authority.issuerFingerprint)"
        profile = CachedAccount.Profile(claims, localAccountID: subject, realm: authority.realm)
    }

    private init(_ previous: CachedAccount, _ known: CachedAccount.Profile, _ claims: IDTokenClaims?) {
        homeAccountID = previous.homeAccountID
        profile = CachedAccount.Profile(
            (known.claims?.all).map(IDTokenClaims.init), localAccountID: known.localAccountID ?? homeAccountID,
            realm: known.realm, isHome: known.isHome, type: known.authorityType)
        profile.username = previous.username ?? profile.username
        profile.claims = (claims?.all).map(ProfileClaims.read) ?? known.claims
    }
}

extension CachedAccount.Profile {
    /// Names the user by the claims of the userinfo endpoint, because the ID token has only a subject.
    mutating func name(by claims: IDTokenClaims) {
        username = claims.preferredUsername ?? (claims.rejectsEmail ? nil : claims.email) ?? username
        name = claims.name
    }

    /// Keeps the username of an earlier response when this response only has fewer or more claims. With other scopes,
    /// OpenID providers may name the user by another claim.
    mutating func keepUsername(_ known: String?, _ claims: IDTokenClaims?) {
        guard let known, known.lowercased() != username?.lowercased() else { return }
        let names = [claims?.preferredUsername, claims?.email, claims?.subject].compactMap { $0?.lowercased() }
        guard names.contains(known.lowercased()) || username == localAccountID else { return }
        if let username, username != localAccountID { formerUsernames.append(username) }
        username = known
    }

    init(
        _ claims: IDTokenClaims?, localAccountID: String, realm: String, isHome: Bool = true, type: String = openIDType
    ) {
        let username = claims?.preferredUsername ?? claims?.email ?? claims?.subject ?? localAccountID
        self.init(
            localAccountID: localAccountID, realm: realm, username: username, isHome: isHome, authorityType: type,
            claims: (claims?.all).map(ProfileClaims.read))
        // Users of Microsoft Entra ID can have any email, even that of another user.
        let hasEmail = isOpenID && claims?.rejectsEmail != true
        formerUsernames = [claims?.preferredUsername, claims?.upn, hasEmail ? claims?.email : nil]
            .compactMap(\.self).filter { $0.lowercased() != username.lowercased() }
    }
}
