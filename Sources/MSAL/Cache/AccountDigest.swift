import Foundation

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
        let state = AccountMetadata.signInState(in: records, client: client)
        isSignedIn = CachedAccounts.isSignedIn(records, client: client, state: state)
        isSignedOut = state == .signedOut
        tokens = MSALCachedTokens(of: records, client: client)
        person = CachedAccounts.merge(records, homeAccountID: homeAccountID, client: client).map(Person.init)
        guard person != nil || tokens != nil || isSignedOut else { return nil }
        authorities = AccountMetadata.authorities(in: records)
    }

    /// An ID token without content, if an earlier account record has the name: then its existence is enough.
    static func standIn(for key: CredentialKey, _ earlier: [CredentialRecord]) -> CredentialRecord? {
        guard key.kind == .idToken,
            earlier.contains(where: { $0.key.kind == .account && $0.members["name"]?.visibleText != nil })
        else { return nil }
        return CredentialRecord(key, ["secret": ""])
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
        var expiresOn: Date?
        var (hasOwn, hasFamily, canRefresh) = (false, false, false)
        // One pass, because the first list calls this for every account.
        for record in records {
            let isOwn = record.key.client == client
            switch record.key.kind {
            case .accessToken, .boundAccessToken:
                guard isOwn else { continue }
                hasOwn = true
                if let end = CachedAccessToken(record)?.expiresOn { expiresOn = max(expiresOn ?? end, end) }
            case .refreshToken:
                if isOwn { hasOwn = true }
                guard let token = CachedRefreshToken(record) else { continue }
                if token.familyID?.isEmpty == false { hasFamily = true }
                if isOwn { canRefresh = true }
            case .idToken, .account, .appMetadata, .accountMetadata, .proofKey, .document: continue
            }
        }
        guard hasOwn || hasFamily else { return nil }
        self.init(expiresOn: expiresOn, canRefresh: hasFamily || canRefresh, isFromOtherApplication: !hasOwn)
    }
}
