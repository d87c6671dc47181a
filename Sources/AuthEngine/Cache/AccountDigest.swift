/// What lists tell of one account, as one client knows it: its tokens and their claims stay in the cache.
package struct AccountDigest: Sendable, Equatable {
    /// The account in one tenant.
    package struct Profile: Sendable, Equatable {
        package var realm: String
        package var localAccountID: String?
        package var isHome: Bool
        package var hasIDToken: Bool
        /// At an OpenID provider the realm is no tenant.
        package var isOpenID = false

        /// As of ``CachedAccount/Profile/tenantID``.
        var tenantID: String? { realm.isEmpty || isOpenID ? nil : realm }
    }

    /// What the account's own records say, home tenant first.
    package struct Person: Sendable, Equatable {
        package var environment: String
        package var username: String?
        /// Taken from an ID token where the records have none, so that no list has to read one.
        package var name: String?
        package var profiles: [Profile]
    }

    package var homeAccountID: String
    package var isSignedIn: Bool
    /// The client took note that the account signed out of it. Of an account that never signed in it did not.
    package var isSignedOut: Bool
    /// `nil`: nothing there is for this client.
    package var tokens: MSALCachedTokens?
    /// `nil`: there are tokens or a sign-in state, but no account.
    package var person: Person?
}

extension AccountDigest {
    /// `records` are all of one account. `nil`: nothing in them is for a list of this client's.
    package init?(_ records: [CredentialRecord], client: String) {
        guard let homeAccountID = records.first?.key.homeAccountID else { return nil }
        self.homeAccountID = homeAccountID
        isSignedIn = CachedAccounts.isSignedIn(records, client: client)
        isSignedOut = AccountMetadata.find(in: records, client: client)?.signInState == .signedOut
        tokens = MSALCachedTokens(of: records, client: client)
        person = CachedAccounts.list(in: records, clientID: client, onlySignedIn: false).first.map(Person.init)
        guard person != nil || tokens != nil || isSignedOut else { return nil }
    }
}

extension AccountDigest.Person {
    fileprivate init(_ account: CachedAccount) {
        self.init(
            environment: account.environment, username: account.username,
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
    /// `nil`: nothing there is for this client.
    fileprivate init?(of records: [CredentialRecord], client: String) {
        let tokens = records.filter { [.accessToken, .boundAccessToken, .refreshToken].contains($0.key.kind) }
        let own = tokens.filter { $0.key.client == client }
        let family = tokens.compactMap(CachedRefreshToken.init).filter { $0.familyID?.isEmpty == false }
        guard !own.isEmpty || !family.isEmpty else { return nil }
        self.init(
            expiresOn: own.compactMap(CachedAccessToken.init).map(\.expiresOn).max(),
            canRenew: !family.isEmpty || own.contains { CachedRefreshToken($0) != nil },
            isFromOtherApplication: own.isEmpty)
    }
}
