/// Every account of a cache, as one client knows it.
struct AccountListing: Sendable {
    /// All accounts, also those that the application doesn't list.
    let accounts: [CachedAccount]
    /// All listed accounts, sorted by identifier.
    let all: [MSALAccount]
    let signedIn: [MSALAccount]

    /// - Parameters:
    ///   - digests: the accounts, without their tokens.
    ///   - includes: whether to list the account with an identifier.
    init(_ digests: [CachedAccount], idTokens: StoredIDTokens, includes: (String) -> Bool) {
        accounts = digests.map { $0.readingClaims(from: idTokens) }
        let listed = accounts.filter { !$0.profiles.isEmpty && includes($0.homeAccountID) }
        all = listed.map { MSALAccount($0, includesProfiles: true) }
        signedIn = zip(listed, all).filter(\.0.isSignedIn).map(\.1)
    }

    /// The home account IDs of the accounts that signed out of this client.
    var signedOut: Set<String> { Set(accounts.lazy.filter(\.isSignedOut).map(\.homeAccountID)) }

    /// The URLs of the authorities where each account has signed in, by identifier.
    var authoritiesByAccount: [String: [String]] { byAccount { $0.profiles.isEmpty ? nil : $0.authorities } }

    /// The cached tokens of each account, by home account ID. Accounts without tokens are missing.
    var tokens: [String: MSALCachedTokens] { byAccount(\.tokens) }

    private func byAccount<Value>(_ value: (CachedAccount) -> Value?) -> [String: Value] {
        var values: [String: Value] = Dictionary(minimumCapacity: accounts.count)
        for account in accounts { values[account.homeAccountID] = value(account) }
        return values
    }
}

extension CachedAccount {
    /// The account of a list, whose claims are read from the cache at the first access.
    fileprivate func readingClaims(from idTokens: StoredIDTokens) -> CachedAccount {
        var account = self
        for index in profiles.indices where profiles[index].claims != nil {
            account.profiles[index].claims = .stored(
                StoredIDToken(
                    idTokens, homeAccountID: homeAccountID, environment: environment, realm: profiles[index].realm))
        }
        return account
    }
}

extension TokenCache {
    /// Returns all accounts with an identifier that `includes` accepts, with the stamp of the store at the time they
    /// were read. With a name, at least those that mention it.
    func listing(
        mentioning name: String? = nil, includes: (String) -> Bool = { _ in true }
    ) throws(CredentialStoreFailure) -> (accounts: AccountListing, stamp: CredentialStamp?) {
        let digests = try digests(mentioning: name)
        return (
            AccountListing(
                digests.all, idTokens: StoredIDTokens(store: store, client: clientID.lowercased()), includes: includes),
            digests.stamp
        )
    }
}
