import OAuthCore

/// The account that a token response belongs to (docs/upstream-behaviour.md §10).
struct SignedInIdentity {
    var homeAccountID: String
    var profile: CachedAccount.Profile
    /// The server's original text.
    var clientInfo: String?

    /// Reads the home account from `client_info` at Microsoft Entra ID, elsewhere from subject and issuer.
    ///
    /// The account of a resource can lack a subject, because its server need not be an OpenID provider.
    ///
    /// A refresh may omit both and then belongs to `previous`. A sign-in needs an ID token, because `client_info` isn't
    /// signed.
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
                : .authority(.malformedResponse(.missing(member: "id_token"), status: 200))
        }
        // These values of the ID token become parts of keys.
        guard ![homeAccountID, profile.realm, profile.localAccountID ?? ""].contains(where: \.hasControlCharacter)
        else {
            throw AuthenticationFailure.authority(
                .malformedResponse(.controlCharacter(member: "id_token"), status: 200))
        }
    }

    private init(_ info: ClientInfo, _ claims: IDTokenClaims) {
        homeAccountID = info.homeAccountID
        let realm = (claims.tenantID ?? info.utid).lowercased()
        profile = CachedAccount.Profile(
            claims, localAccountID: claims.objectID ?? claims.subject ?? info.uid, realm: realm,
            isHome: realm == info.utid.lowercased(), type: CachedAccount.Profile.entraType)
        clientInfo = info.raw
    }

    /// An account of one resource, so that resources never share tokens. Without a subject, resource and issuer are all that
    /// is known.
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
