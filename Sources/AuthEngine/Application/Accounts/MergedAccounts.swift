/// Accounts that several stores know, each once, in the order in which they first occurred.
///
/// Two accounts with identifiers are one when the identifiers agree, which an index answers: a cache holds thousands.
/// The few without one, from other stores, are told apart by their user names, as `MSALAccount` compares them.
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

    /// The first account that `account` is equal to.
    private func position(of account: MSALAccount) -> Int? {
        guard let identifier = account.identifier else { return accounts.firstIndex(of: account) }
        return [positions[identifier], unidentified.first { accounts[$0] == account }].compactMap(\.self).min()
    }

    /// Merging can give an account the identifier that it lacked.
    private mutating func index(_ position: Int) {
        if let identifier = accounts[position].identifier {
            unidentified.removeAll { $0 == position }
            positions[identifier] = min(position, positions[identifier] ?? position)
        } else if !unidentified.contains(position) {
            unidentified.append(position)
        }
    }
}
