import Console
import Diagnosis
import Foundation
import MSAL

/// `keyturn report`: what to give to whoever helps.
package struct ReportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "report", summary: "writes a support report that is safe to paste",
        discussion: """
            Writes the versions, what 'keyturn check' finds, and how the last request for a token went, with its codes and
            times. Tokens, codes, names, user names, tenants, hosts and paths are not in it: what others wrote is shown only
            where it is one of the known words of the protocol.
            """,
        options: [CheckCommand.offline], example: "keyturn report --offline")

    private let examination: SetupExamination

    package init(_ options: ParsedOptions) throws(UsageError) {
        examination = SetupExamination(settings: try Settings(options), isOffline: options.has(CheckCommand.offline))
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let check = try await interruptible { await examination.report(in: surroundings) }
        let profile = try? examination.settings.profile(in: surroundings.environment)
        let report = SupportReport(
            versions: Self.versions, check: check, attempt: AttemptFile(in: surroundings.environment).read(),
            date: surroundings.now(), masking: Masking(words: Self.words(profile, in: surroundings)))
        try surroundings.output.write(report.text)
        return .done
    }

    private static var versions: [SupportReport.Version] {
        [
            .init("keyturn", EmbeddedResource.version),
            .init("MSAL API", MSALPublicClientApplication.sdkVersion ?? "unknown"),
            .init("Linux", MachineFacts.kernelRelease),
        ]
    }

    /// What this machine and its configuration call people, places and things.
    private static func words(_ profile: Profile?, in surroundings: Surroundings) -> [String] {
        let environment = surroundings.environment
        let machine = [environment["HOME"], environment["USER"], environment["LOGNAME"], environment["HOSTNAME"]]
        guard let profile else { return machine.compactMap(\.self) }
        let accounts = (try? profile.application().allAccounts()) ?? []
        let people = accounts.flatMap { account in
            [account.username, account.homeAccountId?.tenantId, account.homeAccountId?.objectId]
                + (account.tenantProfiles ?? []).flatMap {
                    [$0.tenantId, $0.identifier, $0.claims?["name"] as? String]
                }
        }
        let own = [profile.name, profile.clientID, profile.redirectURI, profile.bundleIdentifier, profile.cacheFile]
        let isWellKnown: (String) -> Bool = { ["http://localhost", "demo", "common", "organizations"].contains($0) }
        return (machine + people + own).compactMap(\.self).filter { !isWellKnown($0) }
    }
}
