import Console
import Foundation
import JSON
import MSAL

/// `keyturn accounts`.
package struct AccountsCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "accounts", summary: "List the cached accounts",
        discussion: """
            Prints a heading, and one line for each account: username, environment (the authority's host), identifier
            and the state of its token, such as "valid 59 min" or "refreshable". For accounts with the same username at
            the same host, prints the authority's URL instead of the environment. Includes the identity broker's
            accounts if the profile uses the broker.
            """,
        options: [ResourceAccess.cachedOption, OutputFormat.option],
        examples: ["keyturn accounts", "keyturn accounts -o json"])

    private let settings: Settings
    private let resource: URL?
    private let format: OutputFormat
    private let suggested: SuggestedCommand

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        resource = try ResourceAccess.url(options[ResourceAccess.cachedOption])
        format = OutputFormat(options)
        suggested = SuggestedCommand(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let applications = try settings.applications(forResource: resource, in: surroundings.environment)
        var lists: [(application: MSALPublicClientApplication, accounts: [MSALAccount])] = []
        for application in applications {
            let accounts = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
            lists.append((application, accounts))
        }
        switch format {
        case .json:
            let rows = try lists.flatMap { application, accounts in
                let authorities = try application.authorities(of: accounts)
                let resource = application.configuration.resource?.url.absoluteString
                return accounts.map { (account: $0, authorities: authorities, resource: resource) }
            }
            try JSONValue.writeDocument(of: rows, to: surroundings.output.write) {
                $0.account.json($0.authorities, resource: $0.resource)
            }
        case .table:
            for (application, accounts) in lists {
                if lists.count > 1 || resource == nil, let url = application.configuration.resource?.url {
                    try surroundings.output.write("\(url.absoluteString)\n")
                }
                try write(accounts, of: application, in: surroundings)
            }
        }
        return .done
    }

    private func write(
        _ accounts: [MSALAccount], of application: MSALPublicClientApplication, in surroundings: Surroundings
    ) throws {
        let tokens = try application.cachedTokens()
        let states = accounts.compactMap { account in
            account.identifier.map {
                ($0, AccountSummary(account, tokens: tokens).tokenWord(by: surroundings.now()))
            }
        }
        let table = AccountTable(
            accounts: accounts, states: Dictionary(states) { first, _ in first },
            authorities: application.authorities)
        try surroundings.output.write(try table.text())
        guard !settings.isQuiet else { return }
        if accounts.isEmpty { surroundings.tell(suggested.complete("No accounts. Run 'keyturn sign-in'.\n")) }
        // Accounts of a resource are listed by its URL, not by the client ID that was registered for it.
        guard application.configuration.resource == nil else { return }
        surroundings.tell(
            try StayingAccounts(
                ofOtherClientsIn: application, settings.profiles(in: surroundings.environment),
                try settings.signedInResources(in: surroundings.environment)
            ).text)
    }
}
