import OAuthCore

/// The token cache of one client: what the flows ask of it, in terms of the records of a ``CredentialStore``.
package struct TokenCache: Sendable {
    package let store: any CredentialStore
    package let clientID: String

    private var client: String { clientID.lowercased() }

    package init(store: any CredentialStore, clientID: String) {
        self.store = store
        self.clientID = clientID
    }

    /// Those of the named accounts that there are. Access tokens tell nothing of accounts.
    package func accounts(
        _ homeAccountIDs: Set<String>, onlySignedIn: Bool
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        guard !homeAccountIDs.isEmpty else { return [] }
        let kinds: Set<CredentialKey.Kind> = [.account, .accountMetadata, .idToken, .refreshToken]
        let records = try store.records(matching: CredentialQuery(kinds: kinds, homeAccountIDs: homeAccountIDs))
        return CachedAccounts.list(in: records, clientID: clientID, onlySignedIn: onlySignedIn)
    }

    /// Whose home account is spelled so, whatever its case. No record is opened for it.
    package func homeAccountIDs(spelled identifier: String) throws(CredentialStoreFailure) -> Set<String> {
        let identifier = identifier.lowercased()
        return Set(
            try store.keys(matching: CredentialQuery(kinds: [.account])).map(\.homeAccountID)
                .filter { $0.lowercased() == identifier })
    }

    /// The accounts that have or had this username in some tenant, whatever its case. It is sealed, so each account's
    /// own record is opened, but none of its tokens.
    private func homeAccountIDs(username: String) throws(CredentialStoreFailure) -> Set<String> {
        let username = username.lowercased()
        return Set(
            try store.records(matching: CredentialQuery(kinds: [.account]))
                .filter { record in
                    ([record.members["username"]?.string].compactMap(\.self) + record.formerUsernames)
                        .contains { $0.lowercased() == username }
                }.map(\.key.homeAccountID))
    }

    /// The accounts that have this username in some tenant, whatever its case; when none has it, those that had it. A
    /// signed-out account that has it keeps one that had it from being taken for it.
    package func accounts(
        username: String, onlySignedIn: Bool
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        let all = try accounts(try homeAccountIDs(username: username), onlySignedIn: false)
        let current = all.filter { $0.has(username: username) }
        let named = current.isEmpty ? all : current
        return onlySignedIn ? try accounts(Set(named.map(\.homeAccountID)), onlySignedIn: true) : named
    }

    /// Everything the cache knows of one account, for this client to use.
    ///
    /// `includesApplication`: also what it knows of the application itself, which belongs to no account.
    package func credentials(
        of homeAccountID: String, includesApplication: Bool = false
    ) throws(CredentialStoreFailure) -> AccountCredentials {
        let query =
            includesApplication ? withApplication(homeAccountID) : CredentialQuery(homeAccountIDs: [homeAccountID])
        return AccountCredentials(records: try store.records(matching: query), client: client)
    }

    /// App metadata belongs to no account. Neither do documents, which would be opened for nothing.
    private func withApplication(_ homeAccountID: String) -> CredentialQuery {
        CredentialQuery(kinds: CredentialKey.Kind.ofClients, homeAccountIDs: [homeAccountID, ""])
    }

    /// The ID token that this client has of an account, of whichever tenant.
    func idToken(of homeAccountID: String) throws(CredentialStoreFailure) -> Secret? {
        let query = CredentialQuery(kinds: [.idToken], homeAccountIDs: [homeAccountID], client: client)
        return try store.records(matching: query).lazy.compactMap { $0.members["secret"]?.string }.first.map(
            Secret.init)
    }

    package func save(_ grant: TokenGrant) throws(CredentialStoreFailure) {
        try store.update(matching: withApplication(grant.homeAccountID)) { grant.changes(to: $0) }
    }

    /// As ``save(_:)``, unless the account was taken away from this client since the renewal began: `false`.
    package func saveRenewed(_ grant: TokenGrant) throws(CredentialStoreFailure) -> Bool {
        var isSignedOut = false
        try store.update(matching: withApplication(grant.homeAccountID)) { records in
            let own = records.filter { $0.key.homeAccountID == grant.homeAccountID }
            isSignedOut = AccountMetadata.find(in: own, client: client)?.signInState == .signedOut
            return isSignedOut ? [] : grant.changes(to: records)
        }
        return !isSignedOut
    }

    /// Takes an account away from this client only (docs/upstream-behaviour.md §4.9): its tokens go, other clients'
    /// tokens and the account's own record stay, and the account counts as signed out until it signs in again.
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
