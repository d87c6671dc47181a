import KeyturnSystem

struct AccountListing: Sendable {
    /// All accounts, also those that the application doesn't list.
    let accounts: [CachedAccount]
    let all: [MSALAccount]
    let signedIn: [MSALAccount]

    init(_ digests: [CachedAccount], idTokens: StoredIDTokens, includes: (String) -> Bool) {
        accounts = digests.map { $0.readingClaims(from: idTokens) }
        let listed = accounts.filter { !$0.profiles.isEmpty && includes($0.homeAccountID) }
        all = listed.map { MSALAccount($0, includesProfiles: true) }
        signedIn = zip(listed, all).filter(\.0.isSignedIn).map(\.1)
    }

    var signedOut: Set<String> { Set(accounts.lazy.filter(\.isSignedOut).map(\.homeAccountID)) }

    var authoritiesByAccount: [String: [String]] { byAccount { $0.profiles.isEmpty ? nil : $0.authorities } }

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
    /// With the stamp of the store at the time the accounts were read. With a name, at least those that mention it.
    func listing(
        mentioning name: String? = nil, includes: (String) -> Bool = { _ in true }
    ) throws(CredentialStoreFailure) -> (accounts: AccountListing, stamp: CredentialStamp?) {
        let digests = try store.digests(in: CachedAccount.digestForm(client: client, mentioning: name))
        return (
            AccountListing(digests.all, idTokens: StoredIDTokens(store: store, client: client), includes: includes),
            digests.stamp
        )
    }
}

/// The last list of accounts, valid while the store is unchanged. Many programs list the accounts before each silent
/// request. Comparing stamps is a thousand times faster than reading the accounts.
final class RememberedAccounts: Sendable {
    struct Remembered: Sendable {
        var listing: AccountListing
        /// The name that the accounts mention; `nil` if the list has all accounts.
        var name: String?
        fileprivate var stamp: CredentialStamp
    }

    private let remembered = Locked<Remembered?>(nil)

    func last(stamp: CredentialStamp) -> Remembered? {
        remembered.withLock { remembered in
            if remembered?.stamp != stamp { remembered = nil }
            return remembered
        }
    }

    func remember(_ listing: AccountListing, mentioning name: String?, stamp: CredentialStamp) {
        remembered.withLock { $0 = Remembered(listing: listing, name: name, stamp: stamp) }
    }
}
