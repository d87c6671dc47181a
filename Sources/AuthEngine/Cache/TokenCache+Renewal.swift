import OAuthCore

/// Updates of the cache after a rejected refresh.
extension TokenCache {
    /// Deletes an access token, unless another process has refreshed it in the meantime.
    package func delete(_ token: CachedAccessToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            records.filter { $0.key == token.key && $0.holds(token.secret) }.map { .delete($0.key) }
        }
    }

    /// Deletes a rejected refresh token under each alias of the authority, but no newer one.
    package func delete(_ token: CachedRefreshToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            records.filter { $0.key.kind == .refreshToken && $0.holds(token.secret) }.map { .delete($0.key) }
        }
    }

    /// Records that the client isn't a member of the family.
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

    /// Deletes everything this client has of an account that was deleted at the authority.
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
