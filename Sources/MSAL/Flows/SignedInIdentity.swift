import OAuthCore

/// The account that a token response belongs to (docs/upstream-behaviour.md §10).
struct SignedInIdentity {
    var homeAccountID: String
    var realm: String
    var isHome: Bool
    var account: TokenGrant.Account

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
            self.init(previous, profile)
            if authority.speaksEntra, let info = response.clientInfo {
                (homeAccountID, account.clientInfo) = (info.homeAccountID, info.raw)
            }
        } else {
            throw authority.speaksEntra && claims != nil
                ? AuthenticationFailure.authority(.clientInfoMissing)
                : .authority(.malformedResponse(.missing(member: "id_token"), status: 200))
        }
        // These values of the ID token become parts of keys.
        guard ![homeAccountID, realm, account.localAccountID].contains(where: \.hasControlCharacter) else {
            throw AuthenticationFailure.authority(
                .malformedResponse(.controlCharacter(member: "id_token"), status: 200))
        }
    }

    private init(_ info: ClientInfo, _ claims: IDTokenClaims) {
        homeAccountID = info.homeAccountID
        realm = (claims.tenantID ?? info.utid).lowercased()
        isHome = realm == info.utid.lowercased()
        account = TokenGrant.Account(
            claims, localAccountID: claims.objectID ?? claims.subject ?? info.uid,
            type: TokenGrant.Account.entraType)
        account.clientInfo = info.raw
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
        realm = authority.realm
        isHome = true
        account = TokenGrant.Account(
            claims, localAccountID: subject.isEmpty ? resource.identifier : subject, type: TokenGrant.Account.openIDType
        )
        account.username = name ?? resource.title
    }

    private init(subject: String, _ claims: IDTokenClaims, at authority: ResolvedAuthority) {
        homeAccountID = "\(subject).\(authority.issuerFingerprint)"
        realm = authority.realm
        isHome = true
        account = TokenGrant.Account(claims, localAccountID: subject, type: TokenGrant.Account.openIDType)
    }

    private init(_ previous: CachedAccount, _ profile: CachedAccount.Profile) {
        homeAccountID = previous.homeAccountID
        realm = profile.realm
        isHome = profile.isHome
        account = TokenGrant.Account(
            (profile.claims?.all).map(IDTokenClaims.init),
            localAccountID: profile.localAccountID ?? previous.homeAccountID,
            type: profile.authorityType)
        account.username = previous.username ?? account.username
    }
}

extension TokenGrant.Account {
    /// Keeps the username of an earlier response when this response only has fewer or more claims. With other scopes,
    /// OpenID providers may name the user by another claim.
    mutating func keepUsername(_ known: String?, _ claims: IDTokenClaims?) {
        guard let known, known.lowercased() != username.lowercased() else { return }
        let names = [claims?.preferredUsername, claims?.email, claims?.subject].compactMap { $0?.lowercased() }
        guard names.contains(known.lowercased()) || username == localAccountID else { return }
        if username != localAccountID { otherUsernames.append(username) }
        username = known
    }

    init(_ claims: IDTokenClaims?, localAccountID: String, type: String) {
        self.init(
            localAccountID: localAccountID,
            username: claims?.preferredUsername ?? claims?.email ?? claims?.subject ?? localAccountID,
            name: claims?.name, givenName: claims?.givenName, familyName: claims?.familyName, clientInfo: nil,
            authorityType: type)
        // Users of Microsoft Entra ID can have any email, even that of another user.
        let hasEmail = type == Self.openIDType && claims?.all["email_verified"] != .bool(false)
        otherUsernames = [claims?.preferredUsername, claims?.upn, hasEmail ? claims?.email : nil]
            .compactMap(\.self).filter { $0.lowercased() != username.lowercased() }
    }
}
