/// Every account of a cache, as one client knows it.
struct AccountListing: Sendable {
    /// All accounts, sorted by identifier.
    let all: [MSALAccount]
    let signedIn: [MSALAccount]
    /// The home account IDs of the accounts that signed out of this client.
    let signedOut: Set<String>
    private let held: [(homeAccountID: String, tokens: MSALCachedTokens)]
    /// The URLs of the authorities where each account of `all` has signed in.
    private let authorities: [[String]]

    /// - Parameter includes: whether to list the account with an identifier.
    init(_ digests: [[AccountDigest]], idTokens: StoredIDTokens, includes: (String) -> Bool) {
        var all: [MSALAccount] = []
        var signedIn: [MSALAccount] = []
        var signedOut: Set<String> = []
        var held: [(homeAccountID: String, tokens: MSALCachedTokens)] = []
        let count = digests.reduce(0) { $0 + $1.count }
        var authorities: [[String]] = []
        all.reserveCapacity(count)
        authorities.reserveCapacity(count)
        signedIn.reserveCapacity(count)
        held.reserveCapacity(count)
        for digest in digests.joined() {
            if includes(digest.homeAccountID), let account = MSALAccount(digest, idTokens: idTokens) {
                all.append(account)
                authorities.append(digest.authorities)
                if digest.isSignedIn { signedIn.append(account) }
            }
            if digest.isSignedOut { signedOut.insert(digest.homeAccountID) }
            if let tokens = digest.tokens { held.append((digest.homeAccountID, tokens)) }
        }
        self.all = all
        self.signedIn = signedIn
        self.signedOut = signedOut
        self.held = held
        self.authorities = authorities
    }

    /// The URLs of the authorities where each account has signed in, by identifier.
    var authoritiesByAccount: [String: [String]] {
        var result: [String: [String]] = Dictionary(minimumCapacity: all.count)
        for (account, authorities) in zip(all, authorities) { result[account.identifier ?? ""] = authorities }
        return result
    }

    /// The cached tokens of each account, by home account ID. Accounts without tokens are missing.
    var tokens: [String: MSALCachedTokens] {
        var tokens: [String: MSALCachedTokens] = Dictionary(minimumCapacity: held.count)
        for (homeAccountID, held) in held { tokens[homeAccountID] = held }
        return tokens
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
        let client = clientID.lowercased()
        let digests = try store.digests(in: AccountDigest.form(client: client))
        return (
            AccountListing(
                digests.parts, idTokens: StoredIDTokens(store: store, client: client), includes: includes),
            digests.stamp
        )
    }
}
