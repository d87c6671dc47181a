import MSAL

/// `keyturn remove`: forgets an account's tokens.
package struct RemoveCommand: Subcommand {
    static let everyone = Option("all", "removes every account of this application")

    package static let specification = CommandSpecification(
        name: "remove", summary: "removes an account's tokens from the cache",
        discussion: """
            Removes this application's tokens of one account, by its user name or identifier, or of all. Other applications
            keep theirs, and the browser stays signed in. The cache remembers that an account signed out; --all removes
            this too, and deletes what was set aside as damaged.
            """,
        options: [everyone], optionalOperand: "ACCOUNT", example: "keyturn remove ada@contoso.com")

    private let settings: Settings
    /// `nil`: every account.
    private let accountName: String?

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        accountName = options.operands.first
        switch (accountName, options.has(Self.everyone)) {
        case (nil, false): throw .missingOperand("ACCOUNT or --all", command: Self.specification.name)
        case (let name?, true): throw .extraOperand("\(name) beside --all", command: Self.specification.name)
        default: break
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        let accounts = try await accounts(of: application)
        for account in accounts {
            try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
            if !settings.isQuiet {
                surroundings.tell(try RemovalReport(of: account, in: application, isOfAll: accountName == nil).text)
            }
        }
        let remains = accountName == nil ? try application.removeRemains() : nil
        guard !settings.isQuiet else { return .done }
        if accounts.isEmpty { surroundings.tell("Nobody is signed in.\n") }
        if let remains { surroundings.tell(RemovalReport.text(of: remains)) }
        return .done
    }

    private func accounts(of application: MSALPublicClientApplication) async throws -> [MSALAccount] {
        guard let accountName else { return try application.allAccounts() }
        return [try await application.requiredAccount(named: accountName)]
    }
}
