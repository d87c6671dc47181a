import MSAL

/// Finding the account that a person means: in the cache, else among those that an identity broker adds.
extension MSALPublicClientApplication {
    /// The account with this identifier, or that has or had this username in some tenant, whatever its case. `nil`: there
    /// is none.
    func account(named name: String) async throws -> MSALAccount? {
        let named = MSALAccountEnumerationParameters(identifier: name)
        if let account = try accounts(for: named).first(where: { $0.identifier == name }) { return account }
        let sameName = try accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: name))
        if let account = try Self.account(named: name, among: sameName) { return account }
        let others = try await deviceAccounts()
        if let account = others.first(where: { $0.identifier == name }) { return account }
        return try Self.account(
            named: name, among: others.filter { $0.username?.lowercased() == name.lowercased() })
    }

    /// One of several that answer to a name: the one whose own username it is, not that of a guest.
    private static func account(named name: String, among accounts: [MSALAccount]) throws -> MSALAccount? {
        let own = accounts.filter { $0.username?.lowercased() == name.lowercased() }
        let matches = own.isEmpty ? accounts : own
        if matches.count > 1 {
            throw CommandFailure(
                .usage, name: "ambiguousAccount", "Several accounts are called \(name).",
                nextStep: "Give the identifier: 'keyturn accounts' lists them.")
        }
        return matches.first
    }

    /// The account with this name, which has to be there; without a name, the only one.
    func requiredAccount(named name: String?) async throws -> MSALAccount {
        guard let name else {
            if let account = try await onlyAccount() { return account }
            throw CommandFailure(
                .interactionRequired, name: "noAccount", "Nobody is signed in.",
                nextStep: "Run 'keyturn sign-in' first.")
        }
        if let account = try await account(named: name) { return account }
        throw CommandFailure(
            .failed, name: "noSuchAccount", "The cache has no account \(name).",
            nextStep: "'keyturn accounts' lists those it has.")
    }

    /// The only account; `nil` when there is none. Several leave the choice to the person.
    func onlyAccount() async throws -> MSALAccount? {
        var accounts = try allAccounts()
        if accounts.isEmpty { accounts = try await deviceAccounts() }
        guard accounts.count > 1 else { return accounts.first }
        throw CommandFailure(
            .usage, name: "ambiguousAccount",
            "Several accounts are signed in: \(Self.names(of: accounts, atMost: 5)).",
            nextStep: "Choose one with --account.")
    }

    /// Some names, and how many more there are: who has thousands of accounts is not to read them all in an error.
    static func names(of accounts: [MSALAccount], atMost limit: Int) -> String {
        let names = accounts.prefix(limit).compactMap { $0.username ?? $0.identifier }.joined(separator: ", ")
        return accounts.count > limit ? "\(names) and \(accounts.count - limit) more" : names
    }

    private func deviceAccounts() async throws -> [MSALAccount] {
        try await accountsFromDevice(for: MSALAccountEnumerationParameters())
    }
}
