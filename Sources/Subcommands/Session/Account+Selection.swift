import MSAL

/// Finding an account: in the cache, then among the identity broker's.
extension MSALPublicClientApplication {
    /// The account with this identifier or username, current or former, in any tenant; `nil` if none. Ignores case.
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

    /// The account with this name: prefers the profile's authority, and home tenants to guest tenants.
    private func account(named name: String, among accounts: [MSALAccount]) throws -> MSALAccount? {
        let candidates = ofAuthority(accounts)
        let own = candidates.filter { $0.username?.lowercased() == name.lowercased() }
        let matches = own.isEmpty ? candidates : own
        if matches.count > 1 {
            let identifiers = Self.list(matches, atMost: 5) { $0.identifier }
            throw CommandFailure(
                .usage, name: "ambiguousAccount", "Several accounts match \(name): \(identifiers).",
                nextStep: "Use one of the identifiers.")
        }
        return matches.first
    }

    /// The accounts of the profile's authority, or all if none is.
    private func ofAuthority(_ accounts: [MSALAccount]) -> [MSALAccount] {
        guard accounts.count > 1 else { return accounts }
        let own = accounts.filter(isOfAuthority)
        return own.isEmpty ? accounts : own
    }

    /// The account with this name, or the only one without a name. Throws if there is none.
    func requiredAccount(named name: String?) async throws -> MSALAccount {
        guard let name else {
            if let account = try await onlyAccount() { return account }
            throw CommandFailure(
                .interactionRequired, name: "noAccount", "No accounts.",
                nextStep: "Run 'keyturn sign-in'.")
        }
        if let account = try await account(named: name) { return account }
        throw CommandFailure(
            .failed, name: "noSuchAccount", "No account \(name) in the cache.",
            nextStep: "'keyturn accounts' lists the accounts.")
    }

    /// The only account of the profile's authority, or the only one; `nil` if there is none. Throws if there are several.
    func onlyAccount() async throws -> MSALAccount? {
        var accounts = try allAccounts()
        if accounts.isEmpty { accounts = try await deviceAccounts() }
        accounts = ofAuthority(accounts)
        guard accounts.count > 1 else { return accounts.first }
        throw CommandFailure(
            .usage, name: "ambiguousAccount",
            "Several accounts: \(Self.names(of: accounts, atMost: 5)).",
            nextStep: "Choose one with --account.")
    }

    /// The first `limit` names, and the number of the others.
    static func names(of accounts: [MSALAccount], atMost limit: Int) -> String {
        let shared = Dictionary(grouping: accounts) { $0.username?.lowercased() }.filter { $0.value.count > 1 }
        return list(accounts, atMost: limit) { account in
            // An ambiguous username doesn't select an account.
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
