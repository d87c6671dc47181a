import OAuthCore

/// The token cache of one client, on top of a ``CredentialStore``.
package struct TokenCache: Sendable {
    package let store: any CredentialStore
    package let clientID: String

    var client: String { clientID.lowercased() }

    package init(store: any CredentialStore, clientID: String) {
        self.store = store
        self.clientID = clientID
    }

    package func accounts(
        _ homeAccountIDs: Set<String>, onlySignedIn: Bool
    ) throws(CredentialStoreFailure) -> [CachedAccount] {
        guard !homeAccountIDs.isEmpty else { return [] }
        let records = try store.records(
            matching: CredentialQuery(kinds: CredentialKey.Kind.ofClients, homeAccountIDs: homeAccountIDs))
        return CachedAccounts.list(in: records, clientID: clientID, onlySignedIn: onlySignedIn)
    }

    /// The accounts that ``CachedAccounts/named(_:among:onlySignedIn:)`` selects. Usernames are encrypted, so a
    /// search reads the list of all accounts (docs/decisions/0025).
    package func accounts(username: String, onlySignedIn: Bool) throws(CredentialStoreFailure) -> [CachedAccount] {
        let digests = try store.digests(in: CachedAccount.digestForm(client: client, mentioning: username))
        return CachedAccounts.named(username, among: digests.all, onlySignedIn: onlySignedIn)
    }

    /// `includesApplication` adds the records of the application itself, which belong to no account.
    package func credentials(
        of homeAccountID: String, includesApplication: Bool = false
    ) throws(CredentialStoreFailure) -> AccountCredentials {
        let query =
            includesApplication ? withApplication(homeAccountID) : CredentialQuery(homeAccountIDs: [homeAccountID])
        return AccountCredentials(records: try store.records(matching: query), client: client)
    }

    /// Includes app metadata, which belongs to no account, and no documents, which would be decrypted for nothing.
    private func withApplication(_ homeAccountID: String) -> CredentialQuery {
        CredentialQuery(kinds: CredentialKey.Kind.ofClients, homeAccountIDs: [homeAccountID, ""])
    }

    func hasTokens() throws(CredentialStoreFailure) -> Bool {
        try !store.records(matching: CredentialQuery(kinds: [.accessToken, .refreshToken], client: client)).isEmpty
    }

    package func authorities(of homeAccountID: String) throws(CredentialStoreFailure) -> [String] {
        let query = CredentialQuery(kinds: [.accountMetadata], homeAccountIDs: [homeAccountID])
        return try store.records(matching: query).authorities
    }

    /// The ID token of an account for this client, of any tenant.
    func idToken(of homeAccountID: String) throws(CredentialStoreFailure) -> Secret? {
        let query = CredentialQuery(kinds: [.idToken], homeAccountIDs: [homeAccountID], client: client)
        return try store.records(matching: query).lazy.compactMap { $0.members["secret"]?.string }.first.map(
            Secret.init)
    }

    /// Creates a missing cache, so that a sign-in whose tokens can't be saved fails before the user signs in.
    func prepare() throws(CredentialStoreFailure) { try store.reserveRoom()?.release() }

    package func save(_ grant: TokenGrant) throws(CredentialStoreFailure) {
        try store.update(matching: withApplication(grant.homeAccountID)) { grant.changes(to: $0) }
    }

    /// Saves a refreshed token like ``save(_:)``. Returns `false` if the account was removed in the meantime.
    package func saveRefreshed(_ grant: TokenGrant) throws(CredentialStoreFailure) -> Bool {
        var isSignedOut = false
        try store.update(matching: withApplication(grant.homeAccountID)) { records in
            let own = records.filter { $0.key.homeAccountID == grant.homeAccountID }
            isSignedOut = own.metadata(client: client)?.signInState == .signedOut
            return isSignedOut ? [] : grant.changes(to: records, isRefresh: true)
        }
        return !isSignedOut
    }

    /// Replaces a spent refresh token, and returns whether it was still there.
    package func replace(_ spent: CachedRefreshToken, by secret: Secret) throws(CredentialStoreFailure) -> Bool {
        var isThere = false
        try store.update(matching: CredentialQuery(homeAccountIDs: [spent.key.homeAccountID])) { records in
            guard var own = records.first(where: { $0.key == spent.key }) else { return [] }
            isThere = own.members["secret"]?.string == spent.secret.reveal()
            own.members["secret"] = .string(secret.reveal())
            return isThere ? [.save(own)] : []
        }
        return isThere
    }

    /// Removes an account from this client only and records a sign-out (docs/upstream-behaviour.md §4.9).
    package func remove(homeAccountID: String) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            records.filter(isOwnToken).map { .delete($0.key) } + [.save(signedOut(homeAccountID))]
        }
    }

    /// Removes this client's tokens and the records that name an account, of all accounts that are not listed as signed
    /// in. Keeps the account records that other clients use, and records a sign-out for those. Returns the number of
    /// accounts whose tokens it removed.
    package func removeRemains() throws(CredentialStoreFailure) -> Int {
        var accounts = 0
        try store.update(matching: CredentialQuery(kinds: CredentialKey.Kind.ofClients)) { records in
            let listed = CachedAccounts.list(in: records, clientID: clientID, onlySignedIn: true).map(\.homeAccountID)
            var byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
            for homeAccountID in listed { byAccount[homeAccountID] = nil }
            // One of them can be the current account.
            if !listed.isEmpty { byAccount[""] = nil }
            accounts = byAccount.count { !$0.key.isEmpty && $0.value.contains(where: isOwnToken) }
            return byAccount.flatMap { removalOfRemains($0.value, of: $0.key) }
        }
        return accounts
    }

    /// The number of accounts with refresh tokens of each other client, by client ID. Family tokens are every member's.
    func accountsOfOtherClients() throws(CredentialStoreFailure) -> [String: Int] {
        let keys = try store.records(matching: CredentialQuery(kinds: [.refreshToken])).map(\.key)
            .filter { $0.client != client && $0.client.utf8.count > 1 }
        return Dictionary(grouping: keys, by: \.client).mapValues { Set($0.map(\.homeAccountID)).count }
    }

    private func removalOfRemains(_ records: [CredentialRecord], of homeAccountID: String) -> [CredentialChange] {
        let tokens = records.filter(isOwnToken)
        var gone = records
        var remaining: [CredentialChange] = []
        if homeAccountID.isEmpty {
            gone = records.filter { $0.key == AccountReference.key(client: client) }
        } else if records.contains(where: isUsedByOthers) {
            gone = tokens
            remaining = tokens.isEmpty ? [] : [.save(signedOut(homeAccountID))]
        }
        return gone.map { .delete($0.key) } + remaining
    }

    func signedOut(_ homeAccountID: String) -> CredentialRecord {
        .accountMetadata(homeAccountID: homeAccountID, clientID: clientID, signInState: .signedOut)
    }

    /// Checks the key and the members, because the key of a family refresh token contains the family ID.
    private func isOwnToken(_ record: CredentialRecord) -> Bool {
        record.key.kind.isToken
            && [record.key.client, record.members["client_id"]?.string].contains { $0?.lowercased() == client }
    }

    private func isUsedByOthers(_ record: CredentialRecord) -> Bool {
        if record.key.kind.isToken { return !isOwnToken(record) }
        return record.key.client.lowercased() != client && record.signInState == .signedIn
    }
}

/// Operations on whole accounts (docs/upstream-behaviour.md §4.8, §4.9).
extension TokenCache {
    package func principal() throws(CredentialStoreFailure) -> AccountReference? {
        try store.records(matching: principalQuery).first { $0.key == principalKey }.flatMap(AccountReference.init)
    }

    package func setPrincipal(_ principal: AccountReference?) throws(CredentialStoreFailure) {
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

    package func wipe() throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery()) { records in records.map { .delete($0.key) } }
    }

    private var principalKey: CredentialKey { AccountReference.key(client: clientID.lowercased()) }

    private var principalQuery: CredentialQuery {
        CredentialQuery(kinds: [.accountMetadata], homeAccountIDs: [""], client: clientID.lowercased())
    }
}

/// Updates of the cache after a rejected refresh.
extension TokenCache {
    /// Deletes an access token, unless another process has refreshed it in the meantime.
    package func delete(_ token: CachedAccessToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            removal(of: token.key.homeAccountID, records) { $0.key == token.key && $0.holds(token.secret) }
        }
    }

    /// Deletes a rejected refresh token under each alias of the authority, but no newer one.
    package func delete(_ token: CachedRefreshToken) throws(CredentialStoreFailure) {
        try store.update(matching: CredentialQuery(homeAccountIDs: [token.key.homeAccountID])) { records in
            removal(of: token.key.homeAccountID, records) { $0.key.kind == .refreshToken && $0.holds(token.secret) }
        }
    }

    /// Deletes tokens that can't be used. An account of another program, which has no recorded state, stays listed without them.
    private func removal(
        of homeAccountID: String, _ records: [CredentialRecord], _ isSpent: (CredentialRecord) -> Bool
    ) -> [CredentialChange] {
        let spent = records.filter(isSpent)
        guard !spent.isEmpty, records.metadata(client: client)?.signInState == nil,
            CachedAccount(records, client: client)?.isSignedIn == true
        else { return spent.map { .delete($0.key) } }
        return spent.map { .delete($0.key) }
            + [.save(.accountMetadata(homeAccountID: homeAccountID, clientID: clientID, signInState: .signedIn))]
    }

    /// Keeps the lifetime that a rejection stated. Other programs' accounts have no metadata of this client.
    func note(_ lifetime: StatedLifetime, of homeAccountID: String) throws(CredentialStoreFailure) {
        let query = CredentialQuery(kinds: [.accountMetadata], homeAccountIDs: [homeAccountID])
        try store.update(matching: query) { records in
            guard var record = records.metadata(client: client) else { return [] }
            record.note(lifetime)
            return [.save(record)]
        }
    }

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
        try store.update(matching: CredentialQuery(homeAccountIDs: [homeAccountID])) { records in
            records.filter { isOwnToken($0) || $0.key.kind == .accountMetadata && $0.key.client == client }
                .map { .delete($0.key) }
        }
    }
}

extension CredentialRecord {
    fileprivate func holds(_ secret: Secret) -> Bool { members["secret"]?.string == secret.reveal() }
}
