import Foundation
import KeyturnSystem
import MSAL

package struct RemoveCommand: Subcommand {
    private static let revoke = Option("revoke")
    static let everyone = Option("all")

    package static let specification = CommandSpecification(
        name: "remove", options: [everyone, revoke, Demand.cachedResource, OutputFormat.option],
        optionalOperand: "ACCOUNT")

    @Boxed private var demand: Demand
    private var settings: Settings { demand.settings }
    /// `nil` for all accounts.
    private var accountName: String? { options.operands.first }
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
        switch (accountName, options.has(Self.everyone)) {
        case (nil, false): throw .missingOperand("ACCOUNT or --all", command: Self.specification.name)
        case (.some, true): throw .both("ACCOUNT", "--all")
        default: break
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try demand.application(in: surroundings)
        let profiles = settings.profiles(in: surroundings.environment)
        let accounts = try await accounts(of: application, among: profiles)
        // Before the removal, which deletes the authorities.
        let usual = demand.defaultAccount(of: application, in: surroundings).identifier
        let authorities = try application.authorities(of: accounts)
        // Listed once, because a cache can have thousands of accounts.
        var left = Set(try application.allAccounts().compactMap(\.identifier))
        var revocations: [MSALRevocation?] = []
        let revokes = options.has(Self.revoke)
        for account in accounts {
            let revocation = Locked<MSALRevocation?>(nil)
            do {
                try await interruptible {
                    let parameters = MSALSignoutParameters()
                    if revokes { parameters.revoke(account, of: application, noting: revocation) }
                    try await application.signout(with: account, signoutParameters: parameters)
                }
            } catch var interrupted as Interrupted where revokes {
                try interrupted.describe(
                    account, of: application, revocation.withLock(\.self), closesBrowserSession: false)
                throw interrupted
            }
            revocations.append(revocation.withLock(\.self))
            _ = account.identifier.map { left.remove($0) }
            if !settings.isQuiet {
                let setAside = accountName == nil ? 0 : try application.cacheProtection.setAsideFiles.count
                surroundings.tell(
                    RemovalReport(
                        account: account, left: left.count, setAside: setAside,
                        isDefault: account.identifier.map { $0 == usual } ?? false
                    ).text)
            }
            surroundings.tell(revocations.last ?? nil, at: account.environment, isQuiet: settings.isQuiet)
        }
        let remains = accountName == nil ? try application.removeRemains() : nil
        if accountName == nil, try application.hasStoredClientSecret {
            try application.saveClientSecret(nil)
            if !settings.isQuiet { surroundings.tell("The stored client secret was removed.\n") }
        }
        if OutputFormat(options) == .json {
            try surroundings.output.write(
                try application.removalJSON(
                    of: zip(accounts, revocations).map { account, revocation in
                        account.json(authorities: authorities[account.identifier ?? ""] ?? []).adding(revocation)
                    }, remains: remains
                ).document)
        }
        guard !settings.isQuiet else { return .done }
        if accounts.isEmpty { surroundings.tell("No accounts.\n") }
        if let remains {
            let staying = try StayingAccounts(
                in: application, profiles, try settings.signedInResources(in: surroundings.environment))
            surroundings.tell(RemovalReport.text(of: remains) + staying.text)
        }
        return .done
    }

    private func accounts(
        of application: MSALPublicClientApplication, among profiles: [Profile]
    ) async throws -> [MSALAccount] {
        guard let accountName else {
            let all = try application.allAccounts()
            let others = try application.otherAuthorities(of: all)
            return all.filter { others[$0.identifier ?? ""] == nil }
        }
        return [try await application.requiredAccount(named: accountName, among: profiles, isLocal: true)]
    }
}
