/// Every account of a cache, as one client knows it.
struct AccountListing: Sendable {
    /// The digests of all accounts, also of those that the application doesn't list.
    let digests: [AccountDigest]
    /// All accounts, sorted by identifier.
    let all: [MSALAccount]
    let signedIn: [MSALAccount]

    /// - Parameter includes: whether to list the account with an identifier.
    init(_ digests: [AccountDigest], idTokens: StoredIDTokens, includes: (String) -> Bool) {
        self.digests = digests
        var all: [MSALAccount] = []
        var signedIn: [MSALAccount] = []
        for digest in digests where includes(digest.homeAccountID) {
            guard let account = MSALAccount(digest, idTokens: idTokens) else { continue }
            all.append(account)
            if digest.isSignedIn { signedIn.append(account) }
        }
        self.all = all
        self.signedIn = signedIn
    }

    /// The home account IDs of the accounts that signed out of this client.
    var signedOut: Set<String> { Set(digests.lazy.filter(\.isSignedOut).map(\.homeAccountID)) }

    /// The URLs of the authorities where each account has signed in, by identifier.
    var authoritiesByAccount: [String: [String]] { byAccount { $0.person == nil ? nil : $0.authorities } }

    /// The cached tokens of each account, by home account ID. Accounts without tokens are missing.
    var tokens: [String: MSALCachedTokens] { byAccount(\.tokens) }

    private func byAccount<Value>(_ value: (AccountDigest) -> Value?) -> [String: Value] {
        var values: [String: Value] = Dictionary(minimumCapacity: digests.count)
        for digest in digests { values[digest.homeAccountID] = value(digest) }
        return values
    }
}

extension MSALAccount {
    /// Creates an account from its digest, or returns `nil` when the digest describes no account.
    fileprivate convenience init?(_ digest: AccountDigest, idTokens: StoredIDTokens) {
        guard let person = digest.person else { return nil }
        let profiles = person.profiles.map { profile in
            let token = StoredIDToken(
                idTokens, homeAccountID: digest.homeAccountID, environment: person.environment, realm: profile.realm)
            return MSALTenantProfile(
                identifier: profile.localAccountID, environment: person.environment,
                tenantId: profile.tenantID,
                isHomeTenantProfile: profile.isHome, claims: profile.hasIDToken ? .stored(token) : nil)
        }
        self.init(
            username: person.username,
            homeAccountId: MSALAccountId(
                digest.homeAccountID, isOpenID: person.profiles.contains(where: \.isOpenID)),
            environment: person.environment, tenantProfiles: profiles,
            claims: profiles.first(where: \.isHomeTenantProfile)?.claimValues, name: person.name)
    }
}

extension TokenCache {
    /// Returns all accounts with an identifier that `includes` accepts, with the stamp of the store at the time they
    /// were read.
    func listing(
        includes: (String) -> Bool = { _ in true }
    ) throws(CredentialStoreFailure) -> (accounts: AccountListing, stamp: CredentialStamp?) {
        let digests = try digests()
        return (
            AccountListing(
                digests.all, idTokens: StoredIDTokens(store: store, client: clientID.lowercased()), includes: includes),
            digests.stamp
        )
    }
}
