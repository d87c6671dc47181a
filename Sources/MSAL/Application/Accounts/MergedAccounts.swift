/// The accounts of several stores, each once, in the order of their first occurrence.
///
/// Identifiers are indexed, because a cache can hold thousands. Accounts without one are few and are compared by
/// username.
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
