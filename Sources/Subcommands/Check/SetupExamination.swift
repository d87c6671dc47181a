import Console
import Diagnosis
import Foundation
import MSAL
import Tasks

/// Looks at everything that a sign-in needs, and has ``Diagnosis`` judge it. Nobody signs in and no file is changed, but by
/// ``acceptsCache``.
struct SetupExamination: Sendable {
    var settings: Settings
    /// The profile, whatever the configuration says: the demo's.
    var given: Profile?
    /// Another application's registration, in place of the profile's.
    var infoPlist: String?
    /// Asks nobody beyond this machine.
    var isOffline = false
    /// Takes a token cache that was replaced.
    var acceptsCache = false

    func report(in surroundings: Surroundings) async -> CheckReport {
        let file = ConfigurationFile.locate(named: settings.config, in: surroundings.environment)
        let chosen: Result<Profile, ConfigurationError> = Result { () throws(ConfigurationError) in
            if let given { return given }
            return try settings.profile(in: surroundings.environment)
        }
        let profile = try? chosen.get()
        return CheckReport([
            .init(.configuration, configuration(chosen, file).all),
            .init(.application, application(profile)),
            .init(.authority, await authority(profile, in: surroundings)),
            .init(.cache, cache(profile)),
            .init(.machine, await machine(profile, in: surroundings).all),
        ])
    }

    private func configuration(
        _ chosen: Result<Profile, ConfigurationError>, _ file: ConfigurationFile
    ) -> ConfigurationFindings {
        switch chosen {
        case .success(let profile):
            return ConfigurationFindings(path: file.path, .profile(name: profile.name))
        case .failure(let error) where error.kind == .missing && namesApplication:
            return ConfigurationFindings(path: file.path, .missing)
        case .failure(let error):
            return ConfigurationFindings(path: error.file, .mistakes(error.mistakes))
        }
    }

    /// Whether the command line says enough to judge an application without a configuration.
    private var namesApplication: Bool {
        infoPlist != nil || settings.redirectURI != nil || settings.clientID != nil
    }

    /// Of an application that another `Info.plist` registers, the default redirect URI is meant unless one is named.
    private func application(_ profile: Profile?) -> [CheckFinding] {
        guard profile != nil || namesApplication else { return [] }
        do {
            let authority = try profile.map { try $0.libraryAuthority() }
            let named = settings.clientID ?? profile?.clientID
            let registration = RegistrationFindings(
                clientID: named ?? "", redirectURI: redirectURI(of: profile),
                registration: try registration(of: profile),
                authority: authority)
            return (named.map { ClientIDFindings($0, authority: authority).all } ?? []) + registration.all
        } catch {
            return [CheckFinding("Application", failure: error)]
        }
    }

    private func redirectURI(of profile: Profile?) -> String? {
        settings.redirectURI ?? (infoPlist == nil ? profile?.redirectURI : nil)
    }

    private func registration(of profile: Profile?) throws -> MSALAppRegistration {
        if let infoPlist { return try MSALAppRegistration(infoPlist: try PropertyListFile.read(infoPlist)) }
        return try profile?.registration() ?? .ofThisProgram(EmbeddedResource.infoPlist)
    }

    private func authority(_ profile: Profile?, in surroundings: Surroundings) async -> [CheckFinding] {
        guard let profile else { return [] }
        let proxy = ProxyFindings(environment: surroundings.environment, authority: profile.authority).all
        guard !isOffline else {
            let fact = "\(profile.authority.absoluteString) was not asked (--offline)."
            return [CheckFinding("Authority", .skipped, fact)] + proxy
        }
        do {
            let application = try profile.examinable().applicationToLookAt()
            return AuthorityFindings(try await Self.probe(application)).all + proxy
        } catch {
            return [CheckFinding("Authority", failure: error)] + proxy
        }
    }

    /// Nobody who looks for a mistake waits for longer, in seconds.
    private static let patience = 15

    private static func probe(_ application: MSALPublicClientApplication) async throws -> MSALAuthorityProbe {
        if let probe = await within(.seconds(patience), { await application.probeAuthority() }) { return probe }
        try Task.checkCancellation()
        throw CommandFailure(
            .network, name: "noAnswer", "The authority did not answer for \(patience) seconds.",
            nextStep: "Check the network, the proxy and the address, then try again.")
    }

    private func cache(_ profile: Profile?) -> [CheckFinding] {
        guard let profile else { return [] }
        do {
            let application =
                acceptsCache
                ? try profile.examinable().application { $0.cacheConfig.acceptsReplacedStore = true }
                : try profile.examinable().applicationToLookAt()
            return CacheFindings(
                protection: Self.outcome { try application.cacheProtection },
                accounts: Self.outcome { try application.allAccounts().count }
            ).all
        } catch {
            return [CheckFinding("Token cache", failure: error)]
        }
    }

    private static func outcome<Value>(_ body: () throws -> Value) -> Result<Value, FailureFact> {
        Result { try body() }.mapError { FailureFact($0) }
    }

    private func machine(_ profile: Profile?, in surroundings: Surroundings) async -> MachineFindings {
        MachineFindings(
            handler: await handler(of: profile, in: surroundings), broker: await broker(profile, in: surroundings),
            terminal: .init(surroundings),
            method: .init(
                surroundings.machine, profile: profile,
                offersDeviceCode: try? profile?.examinable().applicationToLookAt().keptDeviceCodeOffer))
    }

    private func broker(_ profile: Profile?, in surroundings: Surroundings) async -> MachineFindings.Broker {
        guard let profile else { return .notAsked }
        return await .init(askedFor: profile.examinable(), in: surroundings)
    }

    /// Of this program's own redirect URI: what other applications register is no matter of this desktop.
    func handler(of profile: Profile?, in surroundings: Surroundings) async -> MachineFindings.Handler {
        guard infoPlist == nil, let profile, let registration = try? profile.registration(),
            let authority = try? profile.libraryAuthority(),
            let scheme = RegistrationFindings(
                clientID: profile.clientID, redirectURI: profile.redirectURI, registration: registration,
                authority: authority
            ).handedScheme
        else { return .notNeeded }
        let handler = SchemeHandler(scheme: scheme, environment: surroundings.environment)
        guard let entry = await handler.current() else { return .unknown(scheme: scheme) }
        if handler.isOurs(entry) { return .ours(scheme: scheme) }
        return .other(scheme: scheme, name: entry.isEmpty ? nil : entry)
    }

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

extension Profile {
    /// The same with a redirect URI that no rule refuses, so that everything else can be looked at.
    fileprivate func examinable() -> Profile {
        var profile = self
        profile.redirectURI = "http://localhost"
        return profile
    }
}
