import MSAL

/// Finding the account that a person means.
extension MSALPublicClientApplication {
    /// The account with this identifier, or with this user name whatever its case. `nil`: the cache has none.
    func account(named name: String) throws -> MSALAccount? {
        let named = MSALAccountEnumerationParameters(identifier: name)
        if let account = try accounts(for: named).first(where: { $0.identifier == name }) { return account }
        let matches = try allAccounts().filter { $0.username?.lowercased() == name.lowercased() }
        if matches.count > 1 {
            throw CommandFailure(
                .usage, name: "ambiguousAccount", "Several accounts are called \(name).",
                nextStep: "Give the identifier: 'keyturn accounts' lists them.")
        }
        return matches.first
    }

    /// The account with this name, which has to be there; without a name, the only one.
    func requiredAccount(named name: String?) throws -> MSALAccount {
        guard let name else {
            if let account = try onlyAccount() { return account }
            throw CommandFailure(
                .interactionRequired, name: "noAccount", "Nobody is signed in.",
                nextStep: "Run 'keyturn sign-in' first.")
        }
        if let account = try account(named: name) { return account }
        throw CommandFailure(
            .failed, name: "noSuchAccount", "The cache has no account \(name).",
            nextStep: "'keyturn accounts' lists those it has.")
    }

    /// The only account; `nil` when there is none. Several leave the choice to the person.
    func onlyAccount() throws -> MSALAccount? {
        let accounts = try allAccounts()
        guard accounts.count > 1 else { return accounts.first }
        let names = accounts.compactMap(\.username).joined(separator: ", ")
        throw CommandFailure(
            .usage, name: "ambiguousAccount", "Several accounts are signed in: \(names).",
            nextStep: "Choose one with --account.")
    }
}
