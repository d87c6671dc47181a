import Console
import Diagnosis
import Foundation
import MSAL

extension SetupExamination {
    /// What to give to whoever helps: what is found now, and how the last request for a token went.
    func supportReport(in surroundings: Surroundings) async -> SupportReport {
        let profile = try? given ?? settings.profile(in: surroundings.environment)
        return SupportReport(
            versions: Self.versions, check: await report(in: surroundings),
            attempt: AttemptFile(in: surroundings.environment).read(), date: surroundings.now(),
            masking: Masking(words: Self.words(profile, in: surroundings)))
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
        let accounts = (try? profile.applicationToLookAt().allAccounts()) ?? []
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
