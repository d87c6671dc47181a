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
        var all = try accounts(try homeAccountIDs(username: username), onlySignedIn: false)
        if all.isEmpty {
            all = try accounts(try homeAccountIDsWithoutAccount(), onlySignedIn: false)
                .filter { $0.has(username: username) }
        }
        let current = all.filter { $0.has(username: username) }
        let named = current.isEmpty ? all : current
        return onlySignedIn ? try accounts(Set(named.map(\.homeAccountID)), onlySignedIn: true) : named
    }

    /// The accounts with ID tokens and without an account record.
    private func homeAccountIDsWithoutAccount() throws(CredentialStoreFailure) -> Set<String> {
        let keys = try store.keys(matching: CredentialQuery(kinds: [.account, .idToken]))
        let known = Set(keys.lazy.filter { $0.kind == .account }.map(\.homeAccountID))
        return Set(keys.map(\.homeAccountID)).subtracting(known)
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
            records.filter(isOwnToken).map { .delete($0.key) } + [.save(signedOut(homeAccountID))]
        }
    }

    /// Removes what remains of all accounts from this client, whether or not a list contains them: its tokens, and records
    /// that name an account. Keeps the account records that other clients use, and records a sign-out for those.
    ///
    /// Returns the number of accounts whose tokens it removed.
    package func removeRemains() throws(CredentialStoreFailure) -> Int {
        var accounts = 0
        try store.update(matching: CredentialQuery(kinds: CredentialKey.Kind.ofClients)) { records in
            let byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
            accounts = byAccount.count { !$0.key.isEmpty && $0.value.contains(where: isOwnToken) }
            return byAccount.flatMap { removalOfRemains($0.value, of: $0.key) }
        }
        return accounts
    }

    /// - Parameter records: all records of the account, or of no account.
    private func removalOfRemains(_ records: [CredentialRecord], of homeAccountID: String) -> [CredentialChange] {
        let tokens = records.filter(isOwnToken)
        var gone = records
        var kept: [CredentialChange] = []
        if homeAccountID.isEmpty {
            gone = records.filter { $0.key == PrincipalAccount.key(client: client) }
        } else if records.contains(where: isUsedByOthers) {
            gone = tokens
            kept = tokens.isEmpty ? [] : [.save(signedOut(homeAccountID))]
        }
        return gone.map { .delete($0.key) } + kept
    }

    func signedOut(_ homeAccountID: String) -> CredentialRecord {
        AccountMetadata(homeAccountID: homeAccountID, clientID: clientID, signInState: .signedOut).record
    }

    /// Checks the key and the members, because the key of a family refresh token contains the family ID.
    private func isOwnToken(_ record: CredentialRecord) -> Bool {
        record.key.kind.isToken
            && [record.key.client, record.members["client_id"]?.string].contains { $0?.lowercased() == client }
    }

    /// Whether this record shows that another client uses the account.
    private func isUsedByOthers(_ record: CredentialRecord) -> Bool {
        if record.key.kind.isToken { return !isOwnToken(record) }
        return record.key.client.lowercased() != client && AccountMetadata(record)?.signInState == .signedIn
    }
}
