import OAuthCore

/// What the cache learns from an authority that refuses to renew.
extension TokenCache {
    /// Deletes an access token if it is still the one that was read: another process may have renewed it meanwhile.
    package func delete(_ token: CachedAccessToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            records.filter { $0.key == token.key && $0.holds(token.secret) }.map { .delete($0.key) }
        }
    }

    /// Deletes a refresh token that the authority called bad, under each name it is kept, but no newer one.
    package func delete(_ token: CachedRefreshToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            records.filter { $0.key.kind == .refreshToken && $0.holds(token.secret) }.map { .delete($0.key) }
        }
    }

    /// The family's refresh token is not for this client.
    package func noteOutsideFamily(environment: String) throws(CredentialStoreFailure) {
        let key = CredentialKey(.appMetadata, environment: environment, client: clientID.lowercased())
        try store.update(matching: CredentialQuery(kinds: [.appMetadata], homeAccountIDs: [""])) { records in
            var members = records.first { $0.key == key }?.members ?? [:]
            members["client_id"] = .string(clientID)
            members["environment"] = .string(environment)
            members["family_id"] = ""
            return [.save(CredentialRecord(key, members))]
        }
    }

    /// The account was deleted at the authority: all that this client knows of it goes, its sign-in state too.
    package func forget(homeAccountID: String) throws(CredentialStoreFailure) {
        let client = clientID.lowercased()
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            records.filter { record in
                switch record.key.kind {
                case .accessToken, .boundAccessToken, .refreshToken, .idToken:
                    record.members["client_id"]?.string?.lowercased() == client
                case .accountMetadata: record.key.client == client
                case .account, .appMetadata, .proofKey, .document: false
                }
            }.map { .delete($0.key) }
        }
    }
}

extension CredentialRecord {
    fileprivate func holds(_ secret: Secret) -> Bool { members["secret"]?.string == secret.reveal() }
}
