import OAuthCore

/// The records of one account as a client may use them.
package struct AccountCredentials: Sendable {
    package let records: [CredentialRecord]
    package let client: String

    package var metadata: AccountMetadata? { AccountMetadata.find(in: records, client: client) }

    package var isSignedOut: Bool {
        metadata?.signInState == .signedOut
    }

    /// The access token for at least these scopes (subset, msal-behaviours §4.5), bound to just this key.
    package func accessToken(
        realm: String, environments: [String], scopes: Scopes, keyID: String? = nil
    ) -> CachedAccessToken? {
        records.lazy.compactMap(CachedAccessToken.init).first { token in
            token.keyID == keyID && token.key.client == client && token.key.realm == realm
                && environments.contains(token.key.environment) && scopes.isSubset(of: token.scopes)
        }
    }

    package func idToken(realm: String, environments: [String]) -> Secret? {
        records.first { record in
            record.key.kind == .idToken && record.key.client == client && record.key.realm == realm
                && environments.contains(record.key.environment)
        }?.members["secret"]?.string.map(Secret.init)
    }

    /// In the order to try them: the client's own, then its family's. One secret is tried once.
    package func refreshTokens(environments: [String]) -> [CachedRefreshToken] {
        let tokens = records.compactMap(CachedRefreshToken.init).filter { environments.contains($0.key.environment) }
        let own = tokens.first { $0.key.client == client }
        let family = familyMembership(environments: environments).familyID
        let shared = tokens.first { $0.familyID == family && $0.key.client == family && $0.secret != own?.secret }
        return [own, shared].compactMap(\.self)
    }

    /// Needs the records that belong to no account as well.
    package func familyMembership(environments: [String]) -> FamilyMembership {
        let known = records.first { record in
            record.key.kind == .appMetadata && record.key.client == client
                && environments.contains(record.key.environment)
        }
        guard let family = known?.members["family_id"]?.string else { return .unknown }
        return family.isEmpty ? .outside : .member(of: family)
    }

    package func hasAccount(realm: String, environments: [String]) -> Bool {
        records.contains { record in
            record.key.kind == .account && record.key.realm == realm && environments.contains(record.key.environment)
        }
    }
}
