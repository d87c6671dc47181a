import OAuthCore

extension MSALAccount {
    convenience init(external account: any MSALAccountProtocol) {
        self.init(
            username: account.username,
            homeAccountId: account.homeAccountId ?? account.identifier.map { MSALAccountId($0) },
            environment: account.environment, tenantProfiles: account.tenantProfiles,
            claims: account.accountClaims.flatMap { JSONValue(foundationObject: $0)?.object }.map(ProfileClaims.read),
            isSSOAccount: account.isSSOAccount)
    }

    /// Merges the same account of two stores. This one has priority; the other adds missing tenants.
    func merging(_ other: MSALAccount) -> MSALAccount {
        let own = tenantProfiles ?? []
        let known = Set(own.map { $0.tenantId?.lowercased() })
        let added = (other.tenantProfiles ?? []).filter { !known.contains($0.tenantId?.lowercased()) }
        guard !added.isEmpty || other.isSSOAccount != isSSOAccount else { return self }
        return MSALAccount(
            username: username ?? other.username, homeAccountId: homeAccountId ?? other.homeAccountId,
            environment: environment, tenantProfiles: own + added, claims: claimValues ?? other.claimValues,
            name: recordedName ?? other.recordedName, isSSOAccount: isSSOAccount || other.isSSOAccount)
    }

    static func merged(_ accounts: [MSALAccount]) -> [MSALAccount] {
        accounts.reduce(into: MergedAccounts()) { $0.add($1) }.accounts
    }
}

/// The accounts of several stores, each once, in the order of their first occurrence. Identifiers are indexed, because
/// a cache can hold thousands. Accounts without one are few and are compared by username.
struct MergedAccounts {
    private(set) var accounts: [MSALAccount] = []
    private var positions: [String: Int] = [:]
    private var unidentified: [Int] = []

    mutating func add(_ account: MSALAccount) {
        let position = position(of: account) ?? accounts.endIndex
        if position == accounts.endIndex {
            accounts.append(account)
        } else {
            accounts[position] = accounts[position].merging(account)
        }
        index(position)
    }

    private func position(of account: MSALAccount) -> Int? {
        guard let identifier = account.identifier else { return accounts.firstIndex(of: account) }
        return [positions[identifier], unidentified.first { accounts[$0] == account }].compactMap(\.self).min()
    }

    /// Updates the index, because merging can add a missing identifier.
    private mutating func index(_ position: Int) {
        if let identifier = accounts[position].identifier {
            unidentified.removeAll { $0 == position }
            positions[identifier] = min(position, positions[identifier] ?? position)
        } else if !unidentified.contains(position) {
            unidentified.append(position)
        }
    }
}
