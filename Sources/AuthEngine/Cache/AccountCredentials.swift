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

    package func refreshToken(environments: [String]) -> CachedRefreshToken? {
        records.lazy.compactMap(CachedRefreshToken.init).first { token in
            token.key.client == client && environments.contains(token.key.environment)
        }
    }

    package func hasAccount(realm: String, environments: [String]) -> Bool {
        records.contains { record in
            record.key.kind == .account && record.key.realm == realm && environments.contains(record.key.environment)
        }
    }
}
