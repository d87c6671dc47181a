/// The data of an account that lists show, for one client. Tokens and claims stay in the cache.
package struct AccountDigest: Sendable, Equatable {
    /// The profile of the account in one tenant.
    package struct Profile: Sendable, Equatable {
        package var realm: String
        package var localAccountID: String?
        package var isHome: Bool
        package var hasIDToken: Bool
        /// Whether the account belongs to an OpenID provider, where the realm isn't a tenant.
        package var isOpenID = false

        /// As ``CachedAccount/Profile/tenantID``.
        var tenantID: String? { realm.isEmpty || isOpenID ? nil : realm }
    }

    /// The data from the account's own records, home tenant first.
    package struct Person: Sendable, Equatable {
        package var environment: String
        package var username: String?
        /// The other and earlier usernames, which also find the account.
        package var otherUsernames: [String] = []
        /// From an ID token if the records have no name, so that lists needn't read tokens.
        package var name: String?
        package var profiles: [Profile]
    }

    package var homeAccountID: String
    package var isSignedIn: Bool
    /// Whether the account signed out of the client. `false` for an account that never signed in.
    package var isSignedOut: Bool
    /// `nil` when there are no tokens for this client.
    package var tokens: MSALCachedTokens?
    /// `nil` when there are tokens or a sign-in state, but no account record.
    package var person: Person?
    /// The URLs of the authorities where the account has signed in, with any client.
    package var authorities: [String] = []
}

extension AccountDigest {
    /// Creates a digest from all records of one account. Returns `nil` when they contain nothing for this client's
    /// lists.
    package init?(_ records: [CredentialRecord], client: String) {
        guard let homeAccountID = records.first?.key.homeAccountID else { return nil }
        self.homeAccountID = homeAccountID
        isSignedIn = CachedAccounts.isSignedIn(records, client: client)
        isSignedOut = AccountMetadata.find(in: records, client: client)?.signInState == .signedOut
        tokens = MSALCachedTokens(of: records, client: client)
        person = CachedAccounts.list(in: records, clientID: client, onlySignedIn: false).first.map(Person.init)
        guard person != nil || tokens != nil || isSignedOut else { return nil }
        authorities = AccountMetadata.authorities(in: records)
    }
}

extension AccountDigest.Person {
    var usernames: [String] { [username].compactMap(\.self) + otherUsernames }

    /// Whether this is one of the person's current or earlier usernames, ignoring case.
    func answers(to username: String) -> Bool {
        usernames.contains { $0.lowercased() == username.lowercased() }
    }
}

extension AccountDigest.Person {
    fileprivate init(_ account: CachedAccount) {
        self.init(
            environment: account.environment, username: account.username,
            otherUsernames: Set(account.profiles.flatMap { [$0.username].compactMap(\.self) + $0.formerUsernames })
                .subtracting([account.username].compactMap(\.self)).sorted(),
            name: account.name,
            profiles: account.profiles.map { profile in
                AccountDigest.Profile(
                    realm: profile.realm, localAccountID: profile.localAccountID, isHome: profile.isHome,
                    hasIDToken: profile.claims != nil,
                    isOpenID: profile.isOpenID)
            })
    }
}

extension MSALCachedTokens {
    /// Creates the state of the tokens. Returns `nil` when there are none for this client.
    fileprivate init?(of records: [CredentialRecord], client: String) {
        let tokens = records.filter { [.accessToken, .boundAccessToken, .refreshToken].contains($0.key.kind) }
        let own = tokens.filter { $0.key.client == client }
        let family = tokens.compactMap(CachedRefreshToken.init).filter { $0.familyID?.isEmpty == false }
        guard !own.isEmpty || !family.isEmpty else { return nil }
        self.init(
            expiresOn: own.compactMap(CachedAccessToken.init).map(\.expiresOn).max(),
            canRefresh: !family.isEmpty || own.contains { CachedRefreshToken($0) != nil },
            isFromOtherApplication: own.isEmpty)
    }
}
