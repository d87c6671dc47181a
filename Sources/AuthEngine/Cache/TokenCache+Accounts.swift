import OAuthCore

/// What a client keeps about accounts as a whole (docs/upstream-behaviour.md §4.8, §4.9).
extension TokenCache {
    package func principal() throws(CredentialStoreFailure) -> PrincipalAccount? {
        try store.records(matching: principalQuery).first { $0.key == principalKey }.flatMap(PrincipalAccount.init)
    }

    /// Writes only what changes.
    package func setPrincipal(_ principal: PrincipalAccount?) throws(CredentialStoreFailure) {
        let record = principal?.record(clientID: clientID)
        try store.update(matching: principalQuery) { records in
            let old = records.first { $0.key == principalKey }
            guard old != record else { return [] }
            return [record.map { .save($0) } ?? .delete(principalKey)]
        }
    }

    /// Takes an account away from every client. What this client knows is that it signed out.
    package func wipe(homeAccountID: String) throws(CredentialStoreFailure) {
        let signedOut = AccountMetadata(homeAccountID: homeAccountID, clientID: clientID, signInState: .signedOut)
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            records.map { .delete($0.key) } + [.save(signedOut.record)]
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
