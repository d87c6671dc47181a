import Console
import Foundation
import JSON
import MSAL

package struct AccountsCommand: Subcommand {
    private enum Format: String, CaseIterable { case table, wide, json }

    static let output = Option(
        "output", of: "accounts", short: "o", argument: "FORMAT", choices: Format.allCases.map(\.rawValue))

    static let usual = Option("default", argument: "USER|ID")
    static let noUsual = Option("no-default")

    package static let specification = CommandSpecification(
        name: "accounts", options: [usual, noUsual, Demand.cachedResource, output])

    @Boxed private var demand: Demand
    private var settings: Settings { demand.settings }
    private let options: ParsedOptions
    /// `nil` for that of the stream.
    private var format: Format? { options[Self.output].flatMap(Format.init) }

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
        if options.has(Self.usual), options.has(Self.noUsual) {
            throw .both("--\(Self.usual.long)", "--\(Self.noUsual.long)")
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let applications: [MSALPublicClientApplication]
        do { applications = try demand.applications(in: surroundings) } catch {
            try CarriedTokens.rejectUse(by: Self.specification.name, settings, in: surroundings.environment)
            throw error
        }
        if let usual = options[Self.usual] { try await setDefault(usual, in: surroundings) }
        if options.has(Self.noUsual) {
            for application in applications { try demand.defaultAccount(of: application, in: surroundings).set(nil) }
        }
        var lists: [(application: MSALPublicClientApplication, accounts: [MSALAccount])] = []
        for application in applications {
            let accounts = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
            lists.append((application, accounts))
        }
        switch format {
        case .json:
            let rows = try lists.flatMap { application, accounts in
                let authorities = try application.authorities(of: accounts)
                let tokens = try application.cachedTokens()
                let resource = application.configuration.resource?.url.absoluteString
                let usual = demand.defaultAccount(of: application, in: surroundings).identifier
                return accounts.map {
                    (
                        account: $0, authorities: authorities[$0.identifier ?? ""] ?? [], resource: resource,
                        isDefault: $0.identifier == usual, summary: AccountSummary($0, tokens: tokens)
                    )
                }
            }
            let now = surroundings.now()
            try JSONValue.writeDocument(of: rows, to: surroundings.output.write) {
                $0.account.json(
                    authorities: $0.authorities, resource: $0.resource, isDefault: $0.isDefault, summary: $0.summary,
                    at: now)
            }
        case .table, .wide, nil:
            for (application, accounts) in lists {
                if lists.count > 1 || demand.resource == nil, let url = application.configuration.resource?.url {
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
        let now = surroundings.now()
        let summaries = Dictionary(
            accounts.compactMap { account in account.identifier.map { ($0, AccountSummary(account, tokens: tokens)) } }
        ) { first, _ in first }
        let table = AccountTable(
            accounts: accounts, states: summaries.compactMapValues { $0.state(at: now)?.word(by: now) },
            signInExpiries: summaries.mapValues { $0.signInExpiryWord(by: now) }.filter { !$0.value.isEmpty },
            authorities: application.authorities, isWide: isWide(on: surroundings),
            usual: demand.defaultAccount(of: application, in: surroundings).identifier)
        try surroundings.output.write(try table.text(columns: surroundings.columns(of: surroundings.output)))
        guard !settings.isQuiet else { return }
        if accounts.isEmpty {
            surroundings.tell(SuggestedCommand(options).complete("No accounts. Run 'keyturn sign-in'.\n"))
        }
        // Accounts of a resource are listed by its URL, not by the client ID that was registered for it.
        guard application.configuration.resource == nil else { return }
        surroundings.tell(
            try StayingAccounts(
                ofOtherClientsIn: application, settings.profiles(in: surroundings.environment),
                try settings.signedInResources(in: surroundings.environment)
            ).text)
    }

    private func setDefault(_ name: String, in surroundings: Surroundings) async throws {
        let application = try await demand.application(with: name, in: surroundings)
        let profile = try settings.profile(
            in: surroundings.environment, forResource: demand.resource ?? application.configuration.resource?.url)
        let account = try await application.requiredAccount(
            named: name, among: settings.profiles(in: surroundings.environment),
            by: AccountChoice(settings, profile, mayPrompt: true, in: surroundings))
        try demand.defaultAccount(of: application, in: surroundings).set(account)
    }

    /// A script reads the identifiers, which don't fit on most terminals.
    private func isWide(on surroundings: Surroundings) -> Bool {
        switch format {
        case .wide: true
        case .table: false
        case .json, nil: surroundings.columns(of: surroundings.output) == nil
        }
    }
}
