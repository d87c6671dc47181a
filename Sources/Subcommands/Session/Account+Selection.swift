import Console
import Foundation
import MSAL

/// Finding an account: in the cache, then among the identity broker's.
extension MSALPublicClientApplication {
    /// The account with this identifier or username, current or former, in any tenant; `nil` if none. Ignores case.
    /// - Parameter choice: `nil` to accept only a whole name of one account. Otherwise, the unique start of a username before
    ///   its at sign is enough, and the user can choose among several accounts.
    func account(named name: String, by choice: AccountChoice? = nil) async throws -> MSALAccount? {
        if let account = try await account(named: name, among: cachedAccounts(named: name), choice) { return account }
        let others = try await deviceAccounts()
        if let account = others.first(where: { $0.identifier == name }) { return account }
        let named = others.filter { $0.username?.lowercased() == name.lowercased() }
        guard named.isEmpty, let choice else { return try await account(named: name, among: named, choice) }
        return try await account(startingWith: name, among: others, choice)
    }

    private func account(
        startingWith start: String, among accounts: [MSALAccount], _ choice: AccountChoice
    ) async throws -> MSALAccount? {
        let candidates = ofAuthority(accounts.filter { $0.isMeant(byStart: start) })
        let whole = candidates.filter { $0.localPart == start.lowercased() }
        let matches = whole.isEmpty ? candidates : whole
        guard matches.count > 1 else { return matches.first }
        if let account = try await choice.picked(among: matches, of: self) { return account }
        throw Failure(
            .usage, name: "ambiguousAccount",
            "Several accounts begin with \(start): \(Self.names(of: matches, atMost: 5)).",
            nextStep: Set(matches.map { $0.username?.lowercased() }).count == matches.count
                ? "Use more of the name." : "Use more of the name, or one of the identifiers.")
    }

    /// The account with this identifier, or else those with this username, of which the library's list is read once.
    private func cachedAccounts(named name: String) throws -> [MSALAccount] {
        let identified = try accounts(for: MSALAccountEnumerationParameters(identifier: name))
            .filter { $0.identifier == name }
        guard identified.isEmpty else { return identified }
        return try accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: name))
    }

    /// The account with this name: prefers the profile's authority, and home tenants to guest tenants.
    private func account(
        named name: String, among accounts: [MSALAccount], _ choice: AccountChoice?
    ) async throws -> MSALAccount? {
        let candidates = ofAuthority(accounts)
        let own = candidates.filter { $0.username?.lowercased() == name.lowercased() }
        let matches = own.isEmpty ? candidates : own
        if matches.count > 1 {
            if let account = try await choice?.picked(among: matches, of: self) { return account }
            let identifiers = Self.list(matches, atMost: 5) { $0.identifier }
            throw Failure(
                .usage, name: "ambiguousAccount", "Several accounts match \(name): \(identifiers).",
                nextStep: "Use one of the identifiers.")
        }
        return matches.first
    }

    /// The accounts of the profile's authority, or all if none is. One is enough to say that it belongs to another OpenID
    /// provider.
    private func ofAuthority(_ accounts: [MSALAccount]) -> [MSALAccount] {
        guard accounts.count > 1 else { return accounts }
        let own = accounts.filter(isOfAuthority)
        guard own.isEmpty else { return own }
        return configuration.authority is MSALOIDCAuthority ? Array(accounts.prefix(1)) : accounts
    }

    /// The account with this name, or the only one without a name. Throws if there is none, or if a username belongs to
    /// another profile's account.
    /// - Parameter isLocal: whether the authority isn't asked, so that an identifier can name another profile's account.
    func requiredAccount(
        named name: String?, among profiles: [Profile], isLocal: Bool = false, by choice: AccountChoice? = nil
    ) async throws -> MSALAccount {
        guard let name else {
            if let account = try await onlyAccount(by: choice) { return account }
            throw noAccount()
        }
        guard let account = try await account(named: name, by: choice) else {
            throw Self.notFound(name, among: profiles)
        }
        let isMeant =
            (isLocal && account.identifier == name) || isOfAuthority(account)
            || home(of: account, among: profiles).profile == nil
        guard isMeant else { throw failure(of: account, ofAnotherAuthorityAmong: profiles) }
        return account
    }

    /// A sign-in is required: no account of the authority can be chosen, or none has the name.
    func noAccount(named name: String? = nil, among profiles: [Profile] = []) -> Failure {
        let accounts = (try? allAccounts()) ?? []
        let own = accounts.filter(isOfAuthority)
        var problem = accounts.isEmpty ? "No accounts." : "No account at \(configuration.authority.url.absoluteString)."
        var advice = "Run 'keyturn sign-in'."
        if let name {
            problem = "\(name) is not signed in."
            if let home = Self.home(of: name, among: profiles) {
                problem = "\(name) is signed in with the profile \(home.name), not with this one."
                advice = "\(Self.use(home.name)) \(Self.toSignInHere)"
            } else if !own.isEmpty {
                problem += " Accounts: \(Self.names(of: own, atMost: 5))."
                advice = "Use a listed account, or sign in as \(name): run 'keyturn sign-in'."
            }
        }
        return Failure(.interactionRequired, name: "noAccount", problem, nextStep: advice)
    }

    private static let toSignInHere = "To sign in here, run 'keyturn sign-in'."

    /// The profile whose cache and authority have an account with this name.
    private static func home(of name: String, among profiles: [Profile]) -> Profile? {
        profiles.first { profile in
            guard let application = try? profile.applicationToLookAt() else { return false }
            return ((try? application.cachedAccounts(named: name)) ?? []).contains(where: application.isOfAuthority)
        }
    }

    private static func notFound(_ name: String, among profiles: [Profile]) -> Failure {
        guard let home = home(of: name, among: profiles) else {
            return Failure(
                .failed, name: "noSuchAccount", "No account \(name) in the cache.",
                nextStep: "'keyturn accounts' lists the accounts.")
        }
        return Failure(
            .failed, name: "otherAuthority",
            "\(name) is signed in at \(home.authority.absoluteString) with the profile \(home.name), not with this one.",
            nextStep: Self.use(home.name))
    }

    func failure(
        of account: MSALAccount, ofAnotherAuthorityAmong profiles: [Profile], maySignIn: Bool = false
    ) -> Failure {
        let home = home(of: account, among: profiles)
        let authority = (try? authorities(of: account))?.first?.absoluteString ?? account.environment
        return Failure(
            .failed, name: "otherAuthority",
            "\(account.username ?? account.identifier ?? "The account") is signed in at \(authority)"
                + "\(home.profile.map { " with the profile \($0)" } ?? ""), not at "
                + "\(configuration.authority.url.absoluteString).",
            nextStep: home.advice(changing: Self.use) + (maySignIn ? " \(Self.toSignInHere)" : ""))
    }

    private func home(of account: MSALAccount, among profiles: [Profile]) -> AccountHome {
        let others = profiles.filter {
            $0.clientID.lowercased() == configuration.clientId.lowercased()
                && $0.authority != configuration.authority.url
        }
        return AccountHome(
            of: (try? authorities(of: account)) ?? [], among: others.map { ($0.name, $0.authority.absoluteString) })
    }

    private static func use(_ profile: String) -> String { "Use '--profile \(profile.quotedForShell)'." }

    /// The only account of the profile's authority, or the chosen one; `nil` if there is none. Throws if several fit.
    func onlyAccount(by choice: AccountChoice? = nil) async throws -> MSALAccount? {
        var accounts = try allAccounts()
        if accounts.isEmpty { accounts = try await deviceAccounts() }
        accounts = configuration.authority is MSALOIDCAuthority ? accounts.filter(isOfAuthority) : ofAuthority(accounts)
        guard accounts.count > 1 else { return accounts.first }
        if let account = try choice?.usual(among: accounts, of: self) { return account }
        if let account = try await choice?.picked(among: accounts, of: self) { return account }
        let ended = try choice?.ended(accounts, of: self) ?? []
        throw Failure(
            .usage, name: "ambiguousAccount",
            "Several accounts: \(Self.names(of: accounts.putting(last: ended), atMost: 5, ended)).",
            nextStep: "Choose one with --account, or a default: 'keyturn accounts --default USER'.")
    }

    static func names(of accounts: [MSALAccount], atMost limit: Int, _ ended: Set<String> = []) -> String {
        let shared = Dictionary(grouping: accounts) { $0.username?.lowercased() }.filter { $0.value.count > 1 }
        return list(accounts, atMost: limit) { account in
            // An ambiguous username doesn't select an account.
            let isShared = shared[account.username?.lowercased()] != nil
            let name = isShared ? account.identifier : account.username ?? account.identifier
            return ended.contains(account.identifier ?? "") ? name.map { "\($0) \(AccountSummary.endedMark)" } : name
        }
    }

    private static func list(_ accounts: [MSALAccount], atMost limit: Int, _ name: (MSALAccount) -> String?) -> String {
        let names = accounts.prefix(limit).compactMap(name).joined(separator: ", ")
        return accounts.count > limit ? "\(names) and \(accounts.count - limit) more" : names
    }

    /// The identifiers of the accounts whose next token needs a sign-in. None with a broker, which has its own tokens.
    func ended(_ accounts: [MSALAccount], by now: Date) throws -> Set<String> {
        guard !configuration.linuxBrokerEnabled else { return [] }
        let tokens = try cachedTokens()
        return Set(accounts.filter { AccountSummary($0, tokens: tokens).needsSignIn(at: now) }.compactMap(\.identifier))
    }

    private func deviceAccounts() async throws -> [MSALAccount] {
        try await accountsFromDevice(for: MSALAccountEnumerationParameters())
    }
}

extension [MSALAccount] {
    func putting(last identifiers: Set<String>) -> [MSALAccount] {
        filter { !identifiers.contains($0.identifier ?? "") } + filter { identifiers.contains($0.identifier ?? "") }
    }
}
