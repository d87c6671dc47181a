import MSAL

/// Finding the account that a person means: in the cache, else among those that an identity broker adds.
extension MSALPublicClientApplication {
    /// The account with this identifier, or that has or had this username in some tenant, whatever its case. `nil`: there
    /// is none.
    func account(named name: String) async throws -> MSALAccount? {
        let named = MSALAccountEnumerationParameters(identifier: name)
        if let account = try accounts(for: named).first(where: { $0.identifier == name }) { return account }
        let sameName = try accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: name))
        if let account = try self.account(named: name, among: sameName) { return account }
        let others = try await deviceAccounts()
        if let account = others.first(where: { $0.identifier == name }) { return account }
        return try self.account(
            named: name, among: others.filter { $0.username?.lowercased() == name.lowercased() })
    }

    /// One of several that answer to a name: one of the profile's authority, and the one whose own username it is, not
    /// that of a guest.
    private func account(named name: String, among accounts: [MSALAccount]) throws -> MSALAccount? {
        let candidates = ofAuthority(accounts)
        let own = candidates.filter { $0.username?.lowercased() == name.lowercased() }
        let matches = own.isEmpty ? candidates : own
        if matches.count > 1 {
            let identifiers = Self.list(matches, atMost: 5) { $0.identifier }
            throw CommandFailure(
                .usage, name: "ambiguousAccount", "Several accounts are called \(name): \(identifiers).",
                nextStep: "Give one of the identifiers in place of the username.")
        }
        return matches.first
    }

    /// Those of the profile's authority; all where none is.
    private func ofAuthority(_ accounts: [MSALAccount]) -> [MSALAccount] {
        guard accounts.count > 1 else { return accounts }
        let own = accounts.filter(isOfAuthority)
        return own.isEmpty ? accounts : own
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

    /// The only account of the profile's authority, else the only one; `nil` when there is none. Several leave the choice
    /// to the user.
    func onlyAccount() async throws -> MSALAccount? {
        var accounts = try allAccounts()
        if accounts.isEmpty { accounts = try await deviceAccounts() }
        accounts = ofAuthority(accounts)
        guard accounts.count > 1 else { return accounts.first }
        throw CommandFailure(
            .usage, name: "ambiguousAccount",
            "Several accounts are signed in: \(Self.names(of: accounts, atMost: 5)).",
            nextStep: "Choose one with --account.")
    }

    /// Some names, and how many more there are: who has thousands of accounts is not to read them all in an error.
    static func names(of accounts: [MSALAccount], atMost limit: Int) -> String {
        let shared = Dictionary(grouping: accounts) { $0.username?.lowercased() }.filter { $0.value.count > 1 }
        return list(accounts, atMost: limit) { account in
            // A name that several have chooses none of them.
            shared[account.username?.lowercased()] == nil ? account.username ?? account.identifier : account.identifier
        }
    }

    private static func list(
        _ accounts: [MSALAccount], atMost limit: Int, _ name: (MSALAccount) -> String?
    ) -> String {
        let names = accounts.prefix(limit).compactMap(name).joined(separator: ", ")
        return accounts.count > limit ? "\(names) and \(accounts.count - limit) more" : names
    }

    private func deviceAccounts() async throws -> [MSALAccount] {
        try await accountsFromDevice(for: MSALAccountEnumerationParameters())
    }
}
