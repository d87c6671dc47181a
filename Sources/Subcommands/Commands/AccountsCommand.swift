import MSAL

/// `keyturn accounts`: who is signed in.
package struct AccountsCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "accounts", summary: "lists the accounts of the cache",
        discussion: """
            Lists the accounts of the cache, one on a line: user name, environment, identifier. Where an identity broker is
            asked, also those that it knows.
            """,
        options: [OutputFormat.option], example: "keyturn accounts -o json")

    private let settings: Settings
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        let accounts = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        switch format {
        case .json: try surroundings.output.write(JSONText.document(accounts.map { AccountDocument($0) }))
        case .table:
            try surroundings.output.write(AccountTable(accounts: accounts).text)
            if accounts.isEmpty, !settings.isQuiet { surroundings.tell("Nobody is signed in.\n") }
        }
        return .done
    }
}
