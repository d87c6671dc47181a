import Foundation
import OAuthCore

/// The data that a token response adds to the cache.
package struct TokenGrant: Sendable, Equatable {
    package struct AccessToken: Sendable, Equatable {
        package var secret: Secret
        package var tokenType: String
        package var scopes: Scopes
        package var expiresOn: Date
        package var extendedExpiresOn: Date?
        package var refreshOn: Date?
        /// The thumbprint of the key that the token is bound to, or `nil` for a bearer token.
        package var keyID: String?
        /// The API that the token was requested for, at providers that choose it by the parameter `audience`.
        package var audience: String?

        /// Instead of the profile's, for the token of another authority: begins with ``otherRealm``.
        package var realm: String?
        static let otherRealm = "managed-server-"

        package var kind: CredentialKey.Kind { keyID == nil ? .accessToken : .boundAccessToken }
    }

    package var homeAccountID: String
    package var environment: String
    package var clientID: String
    package var accessToken: AccessToken?
    package var refreshToken: Secret?
    package var refreshTokenExpiresOn: Date?
    /// The scopes of the refresh token (RFC 6749 §6). `nil` at Microsoft Entra ID, where it is for every resource.
    package var refreshScopes: Scopes?
    package var originalNonce: String?
    package var spentRefreshToken: Secret?
    package var familyID: String?
    package var idToken: Secret?
    package var profile: CachedAccount.Profile
    /// The server's original text, for other applications that share the cache.
    package var clientInfo: String?
    package var requestedAuthority: String
    package var receivedAt: Date

    var loss: LostTokens {
        guard let spentRefreshToken else { return .signIn }
        return refreshToken ?? spentRefreshToken == spentRefreshToken ? .accessToken : .refreshToken
    }
}

/// The changes to the cache in one transaction: the write sequence of docs/upstream-behaviour.md §4.4.
extension TokenGrant {
    /// The changes to `existing`, the account's cached records. `isRefresh`: whether the sign-in is an earlier one.
    package func changes(to existing: [CredentialRecord], isRefresh: Bool = false) -> [CredentialChange] {
        staleAccessTokens(in: existing).map { .delete($0) } + records(merging: existing, isRefresh).map { .save($0) }
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
        return tokens
            + shared.map { record in
                // Keeps members that other applications wrote.
                let old = existing.first { $0.key == record.key }?.members ?? [:]
                return CredentialRecord(record.key, old.merging(record.members) { _, new in new })
            }
    }

    private func key(_ kind: CredentialKey.Kind, client: String? = nil, realm: String = "", target: String = "")
        -> CredentialKey
    {
        CredentialKey(
            kind, homeAccountID: homeAccountID, environment: environment, client: (client ?? clientID).lowercased(),
            realm: realm, target: target)
    }

    private func record(_ key: CredentialKey, _ others: [String: JSONValue?]) -> CredentialRecord {
        var members: [String: JSONValue] = [
            "credential_type": .string(key.kind.rawValue), "home_account_id": .string(homeAccountID),
            "environment": .string(environment), "client_id": .string(clientID),
        ]
        for case (let name, let value?) in others { members[name] = value }
        return CredentialRecord(key, members)
    }

    private var accessTokenRecord: CredentialRecord? {
        guard let accessToken else { return nil }
        let realm = accessToken.realm ?? profile.realm
        return record(
            key(accessToken.kind, realm: realm, target: accessToken.scopes.cacheTarget),
            [
                "realm": .string(realm), "target": .string(accessToken.scopes.sortedText),
                "secret": .string(accessToken.secret.reveal()), "token_type": .string(accessToken.tokenType),
                "cached_at": .seconds(receivedAt), "expires_on": .seconds(accessToken.expiresOn),
                "extended_expires_on": .seconds(accessToken.extendedExpiresOn ?? accessToken.expiresOn),
                "refresh_on": accessToken.refreshOn.map(JSONValue.seconds),
                "kid": accessToken.keyID.map(JSONValue.string),
                "audience": accessToken.audience.map(JSONValue.string),
            ])
    }

    private var idTokenRecord: CredentialRecord? {
        idToken.map { idToken in
            record(
                key(.idToken, realm: profile.realm),
                ["realm": .string(profile.realm), "secret": .string(idToken.reveal())])
        }
    }

    /// Whether the refresh token of an earlier sign-in covers scopes that this one doesn't (docs/decisions/0048).
    private func keepsRefreshToken(of existing: [CredentialRecord]) -> Bool {
        guard let refreshScopes else { return false }
        let known = existing.first { $0.key == key(.refreshToken) }.flatMap(CachedRefreshToken.init)
        guard let known, let granted = known.scopes, known.secret != spentRefreshToken else { return false }
        return !granted.isSubset(of: refreshScopes)
    }

    private var refreshTokenRecord: CredentialRecord? {
        refreshToken.map { refreshToken in
            record(
                key(.refreshToken),
                [
                    "secret": .string(refreshToken.reveal()), "last_modification_time": .seconds(receivedAt),
                    "target": refreshScopes.map { .string($0.sortedText) },
                    CachedRefreshToken.expiryMember: refreshTokenExpiresOn.map(JSONValue.seconds),
                    CachedRefreshToken.nonceMember: originalNonce.map(JSONValue.string),
                ])
        }
    }

    /// A second record of the refresh token under the family ID, for the other clients of the family.
    private var familyRefreshTokenRecord: CredentialRecord? {
        guard let familyID, let refreshToken else { return nil }
        return record(
            key(.refreshToken, client: familyID),
            [
                "secret": .string(refreshToken.reveal()), "family_id": .string(familyID),
                "last_modification_time": .seconds(receivedAt),
                CachedRefreshToken.expiryMember: refreshTokenExpiresOn.map(JSONValue.seconds),
            ])
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
    static func seconds(_ date: Date) -> JSONValue { .string(String(Int64(date.timeIntervalSince1970.rounded(.down)))) }
}
