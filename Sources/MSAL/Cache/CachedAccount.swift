import OAuthCore

/// An account in the cache, as one client knows it, with the records of all its tenants, home tenant first.
package struct CachedAccount: Sendable, Equatable {
    package struct Profile: Sendable, Equatable {
        /// The object ID in the tenant, or the subject.
        package var localAccountID: String?
        package var realm: String
        package var username: String?
        package var isHome: Bool
        package var authorityType: String
        package var claims: ProfileClaims?
        package var name: String?
        /// Earlier usernames of the account in this tenant, the latest last. In a response, its additional usernames.
        package var formerUsernames: [String] = []

        /// The values of the unified cache schema.
        package static let (entraType, openIDType) = ("MSSTS", "Other")

        package var isOpenID: Bool { authorityType == Self.openIDType }

        /// `nil` at an OpenID provider, where the realm only keeps issuers on one host apart.
        package var tenantID: String? { realm.isEmpty || isOpenID ? nil : realm }
    }

    package var homeAccountID: String
    package var environment: String
    package var username: String?
    /// Empty when there are tokens or a sign-in state, but no account.
    package var profiles: [Profile]

    // What lists show besides. Unknown for the account of a response.

    package var isSignedIn = false
    /// Whether the account signed out of the client. `false` for an account that never signed in.
    package var isSignedOut = false
    package var tokens: MSALCachedTokens?
    /// The URLs of the authorities where the account has signed in, with any client.
    package var authorities: [String] = []

    /// The user's name from the account record, or else from the claims of the home tenant or another one.
    var name: String? {
        profiles.lazy.compactMap(\.name).first ?? profiles.first(where: \.isHome)?.claims?.name
            ?? profiles.lazy.compactMap(\.claims?.name).first
    }

    package func has(username: String) -> Bool {
        ([self.username] + profiles.map(\.username)).contains { $0?.lowercased() == username.lowercased() }
    }

    /// Ignores case. With other scopes, OpenID providers may name the user by another claim.
    package func had(username: String) -> Bool {
        profiles.contains { $0.formerUsernames.contains { $0.lowercased() == username.lowercased() } }
    }

    package func isKnown(as user: String) -> Bool {
        homeAccountID == user || has(username: user) || had(username: user)
    }

    /// The subject of the tenant's ID token, which a refreshed one must repeat (OpenID Connect Core §12.2). A guest has
    /// another subject in each tenant of Microsoft Entra ID; without tenants there is one profile.
    package func subject(inTenant tenantID: String?) -> String? {
        let profile =
            tenantID.map { tenant in profiles.first { $0.realm == tenant.lowercased() } }
            ?? (profiles.count == 1 ? profiles.first : nil)
        return profile?.claims?.all?["sub"]?.string
    }
}

extension CredentialRecord {
    var formerUsernames: [String] { members[Self.formerUsernamesMember]?.array?.compactMap(\.string) ?? [] }

    static let formerUsernamesMember = "former_usernames"
}

extension CachedAccount {
    /// Creates an account from all its records, without ``tokens`` and ``authorities``, which only lists need.
    init?(_ records: [CredentialRecord], client: String) {
        guard let homeAccountID = records.first?.key.homeAccountID else { return nil }
        let (profiles, environment) = CachedAccounts.profiles(in: records, client: client)
        self.init(
            homeAccountID: homeAccountID, environment: environment,
            username: profiles.lazy.compactMap(\.username).first, profiles: profiles)
        let state = records.metadata(client: client)?.signInState
        // A recorded sign-out takes precedence over a token. An account that another program saved has no recorded
        // state: any token counts, because one that is still valid is returned.
        isSignedIn = state.map { $0 == .signedIn } ?? records.contains { CachedAccounts.usable($0, by: client) }
        isSignedOut = state == .signedOut
    }
}

/// The accounts in the cache, for one client (docs/upstream-behaviour.md §4.8).
package enum CachedAccounts {
    /// Lists the accounts in `records`, which are all records of the cache or of one account.
    package static func list(in records: [CredentialRecord], clientID: String, onlySignedIn: Bool) -> [CachedAccount] {
        let client = clientID.lowercased()
        let byAccount = Dictionary(grouping: records.filter { !$0.key.homeAccountID.isEmpty }, by: \.key.homeAccountID)
        return byAccount.keys.sorted().compactMap { homeAccountID in
            guard let account = CachedAccount(byAccount[homeAccountID] ?? [], client: client),
                !account.profiles.isEmpty, account.isSignedIn || !onlySignedIn
            else { return nil }
            return account
        }
    }

    /// The accounts with this username in a tenant, ignoring case. If there is none, those that had it earlier. A
    /// signed-out account with the username also counts, so that no other account is mistaken for it.
    package static func named(
        _ username: String, among accounts: [CachedAccount], onlySignedIn: Bool
    ) -> [CachedAccount] {
        let current = accounts.filter { $0.has(username: username) }
        let named = current.isEmpty ? accounts.filter { $0.had(username: username) } : current
        return onlySignedIn ? named.filter(\.isSignedIn) : named
    }

    /// Whether the record is a token of the client, or a refresh token of its family.
    fileprivate static func usable(_ record: CredentialRecord, by client: String) -> Bool {
        record.key.kind.isToken && record.key.client == client
            || record.key.kind == .refreshToken && record.members["family_id"]?.string?.isEmpty == false
    }

    fileprivate static func profiles(
        in records: [CredentialRecord], client: String
    ) -> (profiles: [CachedAccount.Profile], environment: String) {
        var accounts = records.filter { $0.key.kind == .account }
        if accounts.isEmpty { accounts = standIns(for: records, client: client) }
        let profiles = accounts.map { profile($0, among: records, client: client) }
            .sorted { ($0.isHome ? 0 : 1, $0.realm) < ($1.isHome ? 0 : 1, $1.realm) }
        return (profiles, accounts.first?.key.environment ?? "")
    }

    /// Replacements for missing account records, so that an account with tokens is listed and can be removed. The next
    /// refresh writes the account record again.
    private static func standIns(for records: [CredentialRecord], client: String) -> [CredentialRecord] {
        let idTokens = records.filter { $0.key.kind == .idToken && $0.key.client == client }
        if idTokens.isEmpty {
            return records.filter { usable($0, by: client) }.prefix(1).map { token in
                CredentialRecord(accountKey(of: token), [:])
            }
        }
        return idTokens.map { token in
            let secret = token.members["secret"]?.string.map(Secret.init)
            let claims = IDTokenClaims(secret.flatMap { ProfileClaims.inside($0).all } ?? [:])
            let username = claims.preferredUsername ?? claims.email ?? claims.subject
            let type = claims.tenantID == nil ? CachedAccount.Profile.openIDType : CachedAccount.Profile.entraType
            var members: [String: JSONValue] = ["authority_type": .string(type)]
            members["username"] = username.map(JSONValue.string)
            members["local_account_id"] = (claims.objectID ?? claims.subject).map(JSONValue.string)
            return CredentialRecord(accountKey(of: token), members)
        }
    }

    private static func accountKey(of token: CredentialRecord) -> CredentialKey {
        CredentialKey(
            .account, homeAccountID: token.key.homeAccountID, environment: token.key.environment,
            realm: token.key.realm)
    }

    private static func profile(
        _ account: CredentialRecord, among records: [CredentialRecord], client: String
    ) -> CachedAccount.Profile {
        let realm = account.key.realm
        let idToken = records.first {
            $0.key.kind == .idToken && $0.key.realm == realm && $0.key.environment == account.key.environment
                && $0.key.client == client
        }?.members["secret"]?.string.map(Secret.init)
        let type = account.members["authority_type"]?.string ?? CachedAccount.Profile.entraType
        let identifier = account.key.homeAccountID
        let dot = identifier.utf8.lastIndex(of: UInt8(ascii: "."))
        let homeTenant = dot.map { identifier[identifier.utf8.index(after: $0)...] } ?? identifier[...]
        return CachedAccount.Profile(
            localAccountID: account.members["local_account_id"]?.string, realm: realm,
            username: account.members["username"]?.visibleText,
            isHome: homeTenant == realm || type == CachedAccount.Profile.openIDType, authorityType: type,
            claims: idToken.map(ProfileClaims.inside), name: account.members["name"]?.visibleText,
            formerUsernames: account.formerUsernames)
    }
}
