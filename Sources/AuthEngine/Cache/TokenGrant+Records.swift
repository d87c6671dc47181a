import Foundation
import OAuthCore

/// Which changes a token response makes: the write sequence of docs/upstream-behaviour.md §4.4 as one list, for one
/// transaction.
extension TokenGrant {
    /// `existing` are the cache's records of this account.
    package func changes(to existing: [CredentialRecord]) -> [CredentialChange] {
        staleAccessTokens(in: existing).map { .delete($0) }
            + records(merging: existing).map { .save($0) }
    }

    /// Access tokens whose scopes meet the new token's: they would hide it or be hidden by it. After a sign-in at an
    /// OpenID provider, where all have `openid` in common, those go that the new one covers.
    private func staleAccessTokens(in existing: [CredentialRecord]) -> [CredentialKey] {
        guard let accessToken else { return [] }
        return existing.map(\.key).filter { key in
            guard key.kind == accessToken.kind, key.environment == environment, key.realm == realm,
                key.client == clientID.lowercased()
            else { return false }
            let scopes = Scopes(parsing: key.target)
            return account.authorityType == Account.openIDType && spentRefreshToken == nil
                ? scopes.isSubset(of: accessToken.scopes) : scopes.intersects(accessToken.scopes)
        }
    }

    private func records(merging existing: [CredentialRecord]) -> [CredentialRecord] {
        let tokens = [
            accessTokenRecord, idTokenRecord, keepsRefreshToken(of: existing) ? nil : refreshTokenRecord,
            familyRefreshTokenRecord,
        ].compactMap(\.self)
        let shared = [metadataRecord(after: existing), appMetadataRecord, accountRecord(after: existing)]
        return tokens + shared.map { record in merge(record, over: existing.first { $0.key == record.key }) }
    }

    /// Keeps the members that other applications wrote.
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
                ]))
    }

    private var idTokenRecord: CredentialRecord? {
        idToken.map { idToken in
            CredentialRecord(
                key(.idToken, realm: realm),
                members(.idToken, ["realm": .string(realm), "secret": .string(idToken.reveal())]))
        }
    }

    /// Whether the refresh token of an earlier sign-in stays, because it is good for scopes that this sign-in did not
    /// grant (docs/decisions/0032).
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
                    ]))
        }
    }

    /// A family's token is kept a second time under the family's ID, where its other clients find it.
    private var familyRefreshTokenRecord: CredentialRecord? {
        guard let familyID, let refreshToken else { return nil }
        return CredentialRecord(
            key(.refreshToken, client: familyID),
            members(
                .refreshToken,
                [
                    "secret": .string(refreshToken.reveal()), "family_id": .string(familyID),
                    "last_modification_time": .seconds(receivedAt),
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

    private func metadataRecord(after existing: [CredentialRecord]) -> CredentialRecord {
        let known = AccountMetadata.find(in: existing, client: clientID.lowercased())?.realms ?? [:]
        return AccountMetadata(
            homeAccountID: homeAccountID, clientID: clientID, signInState: .signedIn,
            realms: known.merging([requestedAuthority: realm]) { _, new in new }
        ).record
    }

    private func accountRecord(after existing: [CredentialRecord]) -> CredentialRecord {
        let key = CredentialKey(.account, homeAccountID: homeAccountID, environment: environment, realm: realm)
        let optional: [String: String?] = [
            "name": account.name, "given_name": account.givenName, "family_name": account.familyName,
            "client_info": account.clientInfo,
        ]
        var members: [String: JSONValue] = [
            "home_account_id": .string(homeAccountID), "environment": .string(environment), "realm": .string(realm),
            "local_account_id": .string(account.localAccountID), "username": .string(account.username),
            "authority_type": .string(account.authorityType),
        ]
        for case (let name, let value?) in optional { members[name] = .string(value) }
        let former = formerUsernames(in: existing.first { $0.key == key })
        if !former.isEmpty { members[CredentialRecord.formerUsernamesMember] = .array(former.map(JSONValue.string)) }
        return CredentialRecord(key, members)
    }

    /// With the username that this response replaces and those beside its own, so that the account is found by them.
    private func formerUsernames(in record: CredentialRecord?) -> [String] {
        let known = (record?.formerUsernames ?? []) + [record?.members["username"]?.visibleText].compactMap(\.self)
        let all = known + account.otherUsernames
        var seen: Set<String> = [account.username.lowercased()]
        let former = all.reversed().filter { seen.insert($0.lowercased()).inserted }
        return former.prefix(Self.mostFormerUsernames).reversed()
    }

    /// More than any user has had; an authority that makes one up each time does not fill the store.
    private static let mostFormerUsernames = 16
}

extension JSONValue {
    /// Decimal seconds since 1970 as a string, which is what every other reader of the schema expects.
    fileprivate static func seconds(_ date: Date) -> JSONValue {
        .string(String(Int64(date.timeIntervalSince1970.rounded(.down))))
    }
}
