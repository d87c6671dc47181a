import OAuthCore

/// Operations on whole accounts (docs/upstream-behaviour.md §4.8, §4.9).
extension TokenCache {
    package func principal() throws(CredentialStoreFailure) -> PrincipalAccount? {
        try store.records(matching: principalQuery).first { $0.key == principalKey }.flatMap(PrincipalAccount.init)
    }

    /// Sets the current account. Writes only on a change.
    package func setPrincipal(_ principal: PrincipalAccount?) throws(CredentialStoreFailure) {
        let record = principal?.record(clientID: clientID)
        try store.update(matching: principalQuery) { records in
            let old = records.first { $0.key == principalKey }
            guard old != record else { return [] }
            return [record.map { .save($0) } ?? .delete(principalKey)]
        }
    }

    /// Removes an account from every client, and records that it signed out of this one.
    package func wipe(homeAccountID: String) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            records.map { .delete($0.key) } + [.save(signedOut(homeAccountID))]
        }
    }

    /// Empties the cache.
    package func wipe() throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery()) { records in records.map { .delete($0.key) } }
    }

    private var principalKey: CredentialKey { PrincipalAccount.key(client: clientID.lowercased()) }

    private var principalQuery: CredentialQuery {
        CredentialQuery(kinds: [.accountMetadata], homeAccountIDs: [""], client: clientID.lowercased())
    }
}
