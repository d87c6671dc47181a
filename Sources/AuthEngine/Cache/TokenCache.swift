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

    /// `homeAccountIDs`: at most those. Access tokens, of which there are the most, tell nothing of accounts.
    package func accounts(
        onlySignedIn: Bool = true, homeAccountIDs: Set<String>? = nil
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        guard homeAccountIDs?.isEmpty != true else { return [] }
        let query = CredentialQuery(kinds: [.account, .accountMetadata, .idToken], homeAccountIDs: homeAccountIDs)
        var records = try store.records(matching: query)
        if onlySignedIn { records += try refreshTokens(ofUnknown: records) }
        return CachedAccounts.list(in: records, clientID: clientID, onlySignedIn: onlySignedIn)
    }

    /// Those of the accounts of which it is not written down whether they are signed in: other programs' accounts.
    private func refreshTokens(ofUnknown records: [CredentialRecord]) throws(CredentialStoreFailure)
        -> [CredentialRecord]
    {
        let accounts = Set(records.lazy.filter { $0.key.kind == .account }.map(\.key.homeAccountID))
        let known = records.lazy.filter { $0.key.client == client && $0.members["sign_in_state"] != nil }
        let unknown = accounts.subtracting(known.map(\.key.homeAccountID))
        guard !unknown.isEmpty else { return [] }
        // A question with thousands of names would take longer than to look at everybody.
        return try store.records(
            matching: CredentialQuery(kinds: [.refreshToken], homeAccountIDs: unknown.count > 100 ? nil : unknown))
    }

    /// Whose home account is spelled so, whatever its case. No record is opened for it.
    package func homeAccountIDs(spelled identifier: String) throws(CredentialStoreFailure) -> Set<String> {
        let identifier = identifier.lowercased()
        return Set(
            try store.keys(matching: CredentialQuery(kinds: [.account])).map(\.homeAccountID)
                .filter { $0.lowercased() == identifier })
    }

    /// Who has this user name in some tenant, whatever its case. It is sealed, so each account's own record is opened,
    /// but none of its tokens.
    package func homeAccountIDs(username: String) throws(CredentialStoreFailure) -> Set<String> {
        let username = username.lowercased()
        return Set(
            try store.records(matching: CredentialQuery(kinds: [.account]))
                .filter { $0.members["username"]?.string?.lowercased() == username }.map(\.key.homeAccountID))
    }

    /// Everything the cache knows of one account, for this client to use.
    ///
    /// `includesApplication`: also what it knows of the application itself, which belongs to no account.
    package func credentials(
        of homeAccountID: String, includesApplication: Bool = false
    ) throws(CredentialStoreFailure) -> AccountCredentials {
        let accounts: Set<String> = includesApplication ? [homeAccountID, ""] : [homeAccountID]
        return AccountCredentials(
            records: try store.records(matching: CredentialQuery(homeAccountIDs: accounts)), client: client)
    }

    package func save(_ grant: TokenGrant) throws(CredentialStoreFailure) {
        // App metadata belongs to no account.
        try store.update(matching: CredentialQuery(homeAccountIDs: [grant.homeAccountID, ""])) { grant.changes(to: $0) }
    }

    /// As ``save(_:)``, unless the account was taken away from this client since the renewal began: `false`.
    package func saveRenewed(_ grant: TokenGrant) throws(CredentialStoreFailure) -> Bool {
        var isSignedOut = false
        try store.update(matching: CredentialQuery(homeAccountIDs: [grant.homeAccountID, ""])) { records in
            let own = records.filter { $0.key.homeAccountID == grant.homeAccountID }
            isSignedOut = AccountMetadata.find(in: own, client: client)?.signInState == .signedOut
            return isSignedOut ? [] : grant.changes(to: records)
        }
        return !isSignedOut
    }

    /// Takes an account away from this client only (msal-behaviours §4.9): its tokens go, other clients' tokens and the
    /// account's own record stay, and the account counts as signed out until it signs in again.
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
