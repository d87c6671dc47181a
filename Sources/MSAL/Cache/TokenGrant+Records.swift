import Foundation
import OAuthCore

/// The changes that a token response makes to the cache: the write sequence of docs/upstream-behaviour.md §4.4 as one
/// list for one transaction.
extension TokenGrant {
    /// The changes to `existing`, the account's records in the cache.
    ///
    /// - Parameter isRefresh: whether the sign-in is an earlier one.
    package func changes(to existing: [CredentialRecord], isRefresh: Bool = false) -> [CredentialChange] {
        staleAccessTokens(in: existing).map { .delete($0) }
            + records(merging: existing, isRefresh).map { .save($0) }
    }

    /// The access tokens that the new one replaces: those with a common scope besides the OpenID ones, which all have. After a sign-in at an OpenID provider,
    /// where all share `openid`, those whose scopes the new one covers.
    private func staleAccessTokens(in existing: [CredentialRecord]) -> [CredentialKey] {
        guard let accessToken else { return [] }
        return existing.map(\.key).filter { key in
            guard key.kind == accessToken.kind, key.environment == environment,
                key.realm == accessToken.realm ?? profile.realm,
                key.client == clientID.lowercased()
            else { return false }
            let scopes = Scopes(parsing: key.target)
            return profile.isOpenID && spentRefreshToken == nil
                ? scopes.isSubset(of: accessToken.scopes)
                : scopes.withoutOpenID.intersects(accessToken.scopes) || scopes.isSubset(of: accessToken.scopes)
        }
    }

    private func records(merging existing: [CredentialRecord], _ isRefresh: Bool) -> [CredentialRecord] {
        let tokens = [
            accessTokenRecord, idTokenRecord, keepsRefreshToken(of: existing) ? nil : refreshTokenRecord,
            familyRefreshTokenRecord,
        ].compactMap(\.self)
        let shared = [metadataRecord(after: existing, isRefresh), appMetadataRecord, accountRecord(after: existing)]
        return tokens + shared.map { record in merge(record, over: existing.first { $0.key == record.key }) }
    }

    /// Merges a record, keeping members that other applications wrote.
    private func merge(_ record: CredentialRecord, over old: CredentialRecord?) -> CredentialRecord {
        guard let old else { return record }
        return CredentialRecord(record.key, old.members.merging(record.members) { _, new in new })
    }

    private func key(_ kind: CredentialKey.Kind, client: String? = nil, realm: String = "", target: String = "")
        -> CredentialKey
    {
        CredentialKey(
            kind, homeAccountID: homeAccountID, environment: environment, client: (client ?? clientID).lowercased(),
            realm: realm, target: target)
    }

    private func members(_ kind: CredentialKey.Kind, _ others: [String: JSONValue?]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "credential_type": .string(kind.rawValue), "home_account_id": .string(homeAccountID),
            "environment": .string(environment), "client_id": .string(clientID),
        ]
        for case (let name, let value?) in others { members[name] = value }
        return members
    }

    private var accessTokenRecord: CredentialRecord? {
        guard let accessToken else { return nil }
        let realm = accessToken.realm ?? profile.realm
        return CredentialRecord(
            key(accessToken.kind, realm: realm, target: accessToken.scopes.cacheTarget),
            members(
                accessToken.kind,
                [
                    "realm": .string(realm), "target": .string(accessToken.scopes.sortedText),
                    "secret": .string(accessToken.secret.reveal()),
                    "token_type": .string(accessToken.tokenType), "cached_at": .seconds(receivedAt),
                    "expires_on": .seconds(accessToken.expiresOn),
                    "extended_expires_on": .seconds(accessToken.extendedExpiresOn ?? accessToken.expiresOn),
                    "refresh_on": accessToken.refreshOn.map(JSONValue.seconds),
                    "kid": accessToken.keyID.map(JSONValue.string),
                    "audience": accessToken.audience.map(JSONValue.string),
                ]))
    }

    private var idTokenRecord: CredentialRecord? {
        idToken.map { idToken in
            CredentialRecord(
                key(.idToken, realm: profile.realm),
                members(.idToken, ["realm": .string(profile.realm), "secret": .string(idToken.reveal())]))
        }
    }

    /// Whether to keep the refresh token of an earlier sign-in, because it covers scopes that this sign-in doesn't
    /// (docs/decisions/0048).
    private func keepsRefreshToken(of existing: [CredentialRecord]) -> Bool {
        guard let refreshScopes else { return false }
        let known = existing.first { $0.key == key(.refreshToken) }.flatMap(CachedRefreshToken.init)
        guard let known, let granted = known.scopes, known.secret != spentRefreshToken else { return false }
        return !granted.isSubset(of: refreshScopes)
    }

    private var refreshTokenRecord: CredentialRecord? {
        refreshToken.map { refreshToken in
            CredentialRecord(
                key(.refreshToken),
                members(
                    .refreshToken,
                    [
                        "secret": .string(refreshToken.reveal()), "last_modification_time": .seconds(receivedAt),
                        "target": refreshScopes.map { .string($0.sortedText) },
                        CachedRefreshToken.expiryMember: refreshTokenExpiresOn.map(JSONValue.seconds),
                        CachedRefreshToken.nonceMember: originalNonce.map(JSONValue.string),
                    ]))
        }
    }

    /// A second record of the refresh token under the family ID, for the other clients of the family.
    private var familyRefreshTokenRecord: CredentialRecord? {
        guard let familyID, let refreshToken else { return nil }
        return CredentialRecord(
            key(.refreshToken, client: familyID),
            members(
                .refreshToken,
                [
                    "secret": .string(refreshToken.reveal()), "family_id": .string(familyID),
                    "last_modification_time": .seconds(receivedAt),
                    CachedRefreshToken.expiryMember: refreshTokenExpiresOn.map(JSONValue.seconds),
                ]))
    }

    private var appMetadataRecord: CredentialRecord {
        CredentialRecord(
            CredentialKey(.appMetadata, environment: environment, client: clientID.lowercased()),
            [
                "client_id": .string(clientID), "environment": .string(environment),
                "family_id": .string(familyID ?? ""),
            ])
    }

    private func metadataRecord(after existing: [CredentialRecord], _ isRefresh: Bool) -> CredentialRecord {
        let known = AccountCredentials(records: existing, client: clientID.lowercased())
        var record = CredentialRecord.accountMetadata(
            homeAccountID: homeAccountID, clientID: clientID, signInState: .signedIn,
            realms: (known.metadata?.realms ?? [:]).merging([requestedAuthority: profile.realm]) { _, new in new })
        if !isRefresh, !keepsRefreshToken(of: existing) { record.noteSignIn(at: receivedAt) }
        if isRefresh, let past = known.signInExpiry, past.date < receivedAt { record.forget(past.basis) }
        return record
    }

    private func accountRecord(after existing: [CredentialRecord]) -> CredentialRecord {
        let key = CredentialKey(.account, homeAccountID: homeAccountID, environment: environment, realm: profile.realm)
        let claims = (profile.claims?.all).map(IDTokenClaims.init)
        let optional = [
            "local_account_id": profile.localAccountID, "username": profile.username,
            "name": claims?.name ?? profile.name,
            "given_name": claims?.givenName, "family_name": claims?.familyName, "client_info": clientInfo,
        ]
        var members: [String: JSONValue] = [
            "home_account_id": .string(homeAccountID), "environment": .string(environment),
            "realm": .string(profile.realm), "authority_type": .string(profile.authorityType),
        ]
        for case (let name, let value?) in optional { members[name] = .string(value) }
        let former = formerUsernames(in: existing.first { $0.key == key })
        if !former.isEmpty { members[CredentialRecord.formerUsernamesMember] = .array(former.map(JSONValue.string)) }
        return CredentialRecord(key, members)
    }

    /// The earlier usernames, including the replaced one and alternatives in this response, for searches.
    private func formerUsernames(in record: CredentialRecord?) -> [String] {
        let known = (record?.formerUsernames ?? []) + [record?.members["username"]?.visibleText].compactMap(\.self)
        let all = known + profile.formerUsernames
        var seen = Set([profile.username?.lowercased()])
        let former = all.reversed().filter { seen.insert($0.lowercased()).inserted }
        return former.prefix(Self.mostFormerUsernames).reversed()
    }

    /// A limit in case an authority returns a new username each time.
    private static let mostFormerUsernames = 16
}

extension JSONValue {
    /// Decimal seconds since 1970 as a string, as other readers of the schema expect.
    static func seconds(_ date: Date) -> JSONValue {
        .string(String(Int64(date.timeIntervalSince1970.rounded(.down))))
    }
}
