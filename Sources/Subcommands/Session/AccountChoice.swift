import Console
import KeyturnSystem
import MSAL

/// Which of several fitting accounts a command uses: the default, or on a terminal the one that the user chooses.
package final class AccountChoice: Sendable {
    private let settings: Settings
    private let profile: String
    private let mayPrompt: Bool
    private let surroundings: Surroundings
    /// The identifier of the user's choice, which holds for the whole command.
    private let chosen = Locked<String?>(nil)

    package init(_ settings: Settings, _ profile: Profile, mayPrompt: Bool, in surroundings: Surroundings) {
        self.settings = settings
        self.profile = profile.name
        self.mayPrompt = mayPrompt && surroundings.canPrompt
        self.surroundings = surroundings
    }

    /// The default account, if it is one of these. Forgets a default that is no longer in the cache.
    func usual(among accounts: [MSALAccount], of application: MSALPublicClientApplication) throws -> MSALAccount? {
        let usual = DefaultAccount(of: application, profile: profile, in: surroundings.environment)
        guard let identifier = usual.identifier else { return nil }
        if let account = accounts.first(where: { $0.identifier == identifier }) { return account }
        // Settings can name another configuration, cache or client, where the profile's account never was.
        let isOther =
            settings.clientID != nil || settings.authority != nil || settings.cacheFile != nil
            || ConfigurationFile.locate(named: settings.config, in: surroundings.environment).isNamed
        let isCached = try application.allAccounts().contains { $0.identifier == identifier }
        if !isOther, !isCached { try? usual.set(nil) }
        return nil
    }

    /// The account that the user chooses, or `nil` if there is no user to prompt. Throws if the user cancels.
    func picked(
        among accounts: [MSALAccount], of application: MSALPublicClientApplication
    ) async throws -> MSALAccount? {
        if let chosen = chosen.withLock({ $0 }), let account = accounts.first(where: { $0.identifier == chosen }) {
            return account
        }
        guard mayPrompt, accounts.count <= 20 else { return nil }
        let ended = try ended(accounts, of: application)
        let accounts = accounts.putting(last: ended)
        surroundings.prompt("Several accounts fit:\n" + (try list(accounts, ended, of: application)))
        let question = "Number of the account (1-\(accounts.count); Enter cancels): "
        while true {
            surroundings.prompt(question)
            guard let line = await surroundings.typedLine(), !line.isEmpty else { throw CancellationError() }
            guard let number = Int(line), accounts.indices.contains(number - 1) else { continue }
            let account = accounts[number - 1]
            chosen.withLock { $0 = account.identifier }
            tellHint(account, of: application)
            return account
        }
    }

    func ended(_ accounts: [MSALAccount], of application: MSALPublicClientApplication) throws -> Set<String> {
        try application.ended(accounts, by: surroundings.now())
    }

    private func list(
        _ accounts: [MSALAccount], _ ended: Set<String>, of application: MSALPublicClientApplication
    ) throws -> String {
        func lines(isWide: Bool) throws -> [Substring] {
            let table = AccountTable(accounts: accounts, authorities: application.authorities, isWide: isWide)
            return try table.text().split(separator: "\n")
        }
        let short = try lines(isWide: false)
        let shown = Set(short).count == short.count ? short : try lines(isWide: true)
        return shown.enumerated().map { index, line in
            let mark = ended.contains(accounts[index].identifier ?? "") ? "  \(AccountSummary.endedMark)" : ""
            return "  \(index < 9 && shown.count > 9 ? " " : "")\(index + 1)  \(line)\(mark)\n"
        }.joined()
    }

    private func tellHint(_ account: MSALAccount, of application: MSALPublicClientApplication) {
        guard !settings.isQuiet, let name = account.username ?? account.identifier else { return }
        let options: [(String, String?)] = [
            ("default", name), ("profile", settings.profileName), ("client-id", settings.clientID),
            ("authority", settings.authority?.absoluteString),
            ("resource", application.configuration.resource?.url.absoluteString),
        ]
        let words = options.compactMap { option, value in value.map { " --\(option) \($0.quotedForShell)" } }.joined()
        surroundings.tell("'keyturn accounts\(words)' makes it the default.\n")
    }
}

extension MSALAccount {
    /// Whether the username begins with `start` and goes on to its at sign. A whole username never stands for a longer one.
    func isMeant(byStart start: String) -> Bool {
        guard !start.isEmpty, !start.contains("@"), let localPart else { return false }
        return localPart.hasPrefix(start.lowercased())
    }

    var localPart: String? {
        guard let username, let at = username.firstIndex(of: "@") else { return nil }
        return username[..<at].lowercased()
    }
}
