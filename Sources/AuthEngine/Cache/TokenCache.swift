import OAuthCore

/// The token cache of one client, on top of a ``CredentialStore``.
package struct TokenCache: Sendable {
    package let store: any CredentialStore
    package let clientID: String

    private var client: String { clientID.lowercased() }

    package init(store: any CredentialStore, clientID: String) {
        self.store = store
        self.clientID = clientID
    }

    /// The accounts with these home account IDs. Doesn't read access tokens.
    package func accounts(
        _ homeAccountIDs: Set<String>, onlySignedIn: Bool
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        guard !homeAccountIDs.isEmpty else { return [] }
        let kinds: Set<CredentialKey.Kind> = [.account, .accountMetadata, .idToken, .refreshToken]
        let records = try store.records(matching: CredentialQuery(kinds: kinds, homeAccountIDs: homeAccountIDs))
        return CachedAccounts.list(in: records, clientID: clientID, onlySignedIn: onlySignedIn)
    }

    /// The home account IDs that equal the identifier, ignoring case. Doesn't decrypt any record.
    package func homeAccountIDs(spelled identifier: String) throws(CredentialStoreFailure) -> Set<String> {
        let identifier = identifier.lowercased()
        return Set(
            try store.keys(matching: CredentialQuery(kinds: [.account])).map(\.homeAccountID)
                .filter { $0.lowercased() == identifier })
    }

    /// The home account IDs of the accounts with this current or earlier username, ignoring case. Usernames are
    /// encrypted, so this reads every account record, but no tokens.
    private func homeAccountIDs(username: String) throws(CredentialStoreFailure) -> Set<String> {
        let username = username.lowercased()
        return Set(
            try store.records(matching: CredentialQuery(kinds: [.account]))
                .filter { record in
                    ([record.members["username"]?.string].compactMap(\.self) + record.formerUsernames)
                        .contains { $0.lowercased() == username }
                }.map(\.key.homeAccountID))
    }

    /// The accounts with this username in a tenant, ignoring case. If there is none, those that had it earlier. A
    /// signed-out account with the username also counts, so that no other account is mistaken for it.
    package func accounts(
        username: String, onlySignedIn: Bool
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        let all = try accounts(try homeAccountIDs(username: username), onlySignedIn: false)
        let current = all.filter { $0.has(username: username) }
        let named = current.isEmpty ? all : current
        return onlySignedIn ? try accounts(Set(named.map(\.homeAccountID)), onlySignedIn: true) : named
    }

    /// The records of one account for this client. `includesApplication` adds the records of the application itself,
    /// which belong to no account.
    package func credentials(
        of homeAccountID: String, includesApplication: Bool = false
    ) throws(CredentialStoreFailure) -> AccountCredentials {
        let query =
            includesApplication ? withApplication(homeAccountID) : CredentialQuery(homeAccountIDs: [homeAccountID])
        return AccountCredentials(records: try store.records(matching: query), client: client)
    }

    /// A query that includes app metadata, which belongs to no account. Excludes documents, which would be decrypted
    /// for nothing.
    private func withApplication(_ homeAccountID: String) -> CredentialQuery {
        CredentialQuery(kinds: CredentialKey.Kind.ofClients, homeAccountIDs: [homeAccountID, ""])
    }

    /// The ID token of an account for this client, of any tenant.
    func idToken(of homeAccountID: String) throws(CredentialStoreFailure) -> Secret? {
        let query = CredentialQuery(kinds: [.idToken], homeAccountIDs: [homeAccountID], client: client)
        return try store.records(matching: query).lazy.compactMap { $0.members["secret"]?.string }.first.map(
            Secret.init)
    }

    package func save(_ grant: TokenGrant) throws(CredentialStoreFailure) {
        try store.update(matching: withApplication(grant.homeAccountID)) { grant.changes(to: $0) }
    }

    /// Saves a refreshed token like ``save(_:)``. Returns `false` if the account was removed in the meantime.
    package func saveRenewed(_ grant: TokenGrant) throws(CredentialStoreFailure) -> Bool {
        var isSignedOut = false
        try store.update(matching: withApplication(grant.homeAccountID)) { records in
            let own = records.filter { $0.key.homeAccountID == grant.homeAccountID }
            isSignedOut = AccountMetadata.find(in: own, client: client)?.signInState == .signedOut
            return isSignedOut ? [] : grant.changes(to: records)
        }
        return !isSignedOut
    }

    /// Removes an account from this client only (docs/upstream-behaviour.md §4.9). Keeps other clients' tokens and the
    /// account record, and records a sign-out.
    package func remove(homeAccountID: String) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            let own = records.filter { record in
                [.accessToken, .boundAccessToken, .refreshToken, .idToken].contains(record.key.kind)
                    && record.members["client_id"]?.string?.lowercased() == client
            }
            let signedOut = AccountMetadata(
                homeAccountID: homeAccountID, clientID: clientID, signInState: .signedOut)
            return own.map { .delete($0.key) } + [.save(signedOut.record)]
        }
    }
}
