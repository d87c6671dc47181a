import Console
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

/// Collects the facts for the checks of ``Diagnosis``. Never signs in. Changes files only with ``acceptsCache``.
struct SetupExamination: Sendable {
    @Boxed var settings: Settings
    var given: Profile?
    var isDemo = false
    /// The Info.plist of another application.
    var infoPlist: String?
    var entitlements: String?
    var resource: URL?
    var registers = false
    var isOffline = false
    var acceptsCache = false

    func report(in surroundings: Surroundings) async -> CheckReport {
        let chosen = chosen(in: surroundings)
        return await report(on: chosen, await subject(of: try? chosen.get(), in: surroundings), in: surroundings)
    }

    private func chosen(in surroundings: Surroundings) -> Result<Profile, ConfigurationError> {
        Result { () throws(ConfigurationError) in
            if let given { return given }
            return try settings.profile(in: surroundings.environment, forResource: resource)
        }
    }

    private func report(
        on chosen: Result<Profile, ConfigurationError>, _ subject: Subject, in surroundings: Surroundings
    ) async -> CheckReport {
        let file = ConfigurationFile.locate(named: settings.config, in: surroundings.environment)
        let (profile, known) = (subject.profile, subject.application)
        let probe = await probe(profile, known)
        return CheckReport([
            .init(.configuration, configuration(chosen, file).all),
            .init(.application, application(profile)),
            .init(.resource, subject.findings),
            .init(
                .authority,
                authority(profile, probe, known, in: surroundings)
                    + (await registration(profile, known, try? probe?.get()))),
            .init(.cache, cache(profile, known)),
            .init(.machine, await machine(profile, try? probe?.get(), in: surroundings).all),
        ])
    }

    struct Subject {
        /// The profile, which is the resource's if there is one.
        var profile: Profile?
        var findings: [CheckFinding] = []
        var application: MSALPublicClientApplication?
    }

    private func configuration(
        _ chosen: Result<Profile, ConfigurationError>, _ file: ConfigurationFile
    ) -> ConfigurationFindings {
        switch chosen {
        case .success where file.isMissing && !isDemo: return ConfigurationFindings(path: file.path, .missing)
        case .success(let profile):
            return ConfigurationFindings(
                path: file.path, isDemo ? .unsavedProfile(name: profile.name) : .profile(name: profile.name))
        case .failure(let error) where error.kind == .missing && namesApplication:
            return ConfigurationFindings(path: file.path, .missing)
        case .failure(let error): return ConfigurationFindings(path: error.file, .mistakes(error.mistakes))
        }
    }

    private var namesApplication: Bool { infoPlist != nil || settings.redirectURI != nil || settings.clientID != nil }

    /// The checks of the application. With another Info.plist, its default redirect URI applies unless --redirect-uri is given.
    func application(_ profile: Profile?) -> [CheckFinding] {
        guard profile != nil || namesApplication else { return [] }
        do {
            let authority = try profile.map { try $0.libraryAuthority() }
            let named = settings.clientID ?? profile?.clientID
            let registration = RegistrationFindings(
                clientID: named ?? "", redirectURI: redirectURI(of: profile),
                registration: try registration(of: profile), authority: authority, isOther: infoPlist != nil,
                entitlements: try entitlements.map { try Array(PropertyListFile.read($0, "entitlements")) })
            let secrets = profile.map { profile in profile.secretSources.map { secret($0, of: profile) } } ?? []
            let methods: [CheckFinding] = profile?.methods.contains(.device) == true ? [.deviceCodeProfile] : []
            return (named.map { [ClientIDFindings($0, authority: authority).finding] } ?? []) + secrets
                + registration.all + methods
        } catch {
            return [CheckFinding("Application", failure: error)]
        }
    }

    /// Where the secret of a client comes from, which isn't read or run.
    private func secret(_ source: ClientSecretSource, of profile: Profile) -> CheckFinding {
        let (place, hasIt) =
            switch source {
            case .file(let path): ("The file \(path)", FileManager.default.isReadableFile(atPath: path))
            case .environment(let name): ("The variable \(name)", ProcessEnvironment.variables[name] != nil)
            case .command(let command): ("The command \(command.first ?? "")", true)
            case .stored:
                ("The token cache", (try? profile.local().applicationToLookAt().hasStoredClientSecret) ?? true)
            case .entered: ("Your input", true)
            }
        if case .file(let path) = source, hasIt, let mode = try? FileManager.default.attributesOfItem(atPath: path),
            let bits = mode[.posixPermissions] as? Int, bits & 0o077 != 0
        {
            let fix = "If you trust it, run: chmod 600 '\(path)'."
            return CheckFinding(
                "Client secret", .failed, "Other users can access \(path). A sign-in ends there.", fix: fix)
        }
        guard !hasIt else { return CheckFinding("Client secret", .passed, "\(place) provides it. It isn't read here.") }
        let fix = "Set it there (to store it: 'keyturn sign-in --enter-client-secret'), or correct clientSecret."
        return CheckFinding("Client secret", .failed, "\(place) doesn't have it.", fix: fix)
    }

    private func redirectURI(of profile: Profile?) -> String? {
        settings.redirectURI ?? (infoPlist == nil ? profile?.redirectURI : nil)
    }

    private func registration(of profile: Profile?) throws -> MSALAppRegistration {
        if let infoPlist { return try PropertyListFile.registration(infoPlist) }
        return try profile?.registration() ?? .ofThisProgram(EmbeddedResource.infoPlist)
    }

    private func authority(
        _ profile: Profile?, _ probe: Result<MSALAuthorityProbe, any Error>?,
        _ known: MSALPublicClientApplication?, in surroundings: Surroundings
    ) -> [CheckFinding] {
        guard let profile else { return [] }
        let proxy =
            [CheckFinding.endpointAsAuthority(profile.authority)].compactMap { $0 }
            + [.proxy(in: surroundings.environment, for: profile.authority)]
        switch probe {
        case .success(let probe):
            let tokens = try? (known ?? profile.local().applicationToLookAt()).cachedTokens()
            let isIssued = tokens?.values.contains { $0.canRefresh } == true
            return AuthorityFindings(probe, hasIssuedRefreshToken: isIssued).all + proxy
        case .failure(let error): return [CheckFinding("Authority", failure: error)] + proxy
        case nil where !isOffline: return proxy
        case nil:
            let fact = "No request to \(profile.authority.absoluteString.withoutURLPasswords) (--offline)."
            return [CheckFinding("Authority", .skipped, fact)] + proxy
        }
    }

    private func registration(
        _ profile: Profile?, _ known: MSALPublicClientApplication?, _ probe: MSALAuthorityProbe?
    ) async -> [CheckFinding] {
        guard let profile, let probe, probe.failure == nil,
            let registration = try? registration(of: profile),
            let uri = RegistrationFindings(
                clientID: profile.clientID, redirectURI: redirectURI(of: profile), registration: registration,
                authority: try? profile.libraryAuthority()
            ).sentRedirectURI
        else { return [] }
        do {
            let application = try known ?? profile.examinable().applicationToLookAt()
            func probe(_ clientID: String? = nil) async throws -> MSALRegistrationProbe? {
                try await value(within: .seconds(Self.patience)) {
                    try await application.probeRegistration(redirectURI: uri, clientID: clientID)
                }
            }
            var finding = RegistrationProbeFindings.failed("No response in \(Self.patience) seconds.")
            if let probed = try await probe() {
                let findings = RegistrationProbeFindings(probed)
                let other = findings.needsComparison ? try? await probe(RegistrationProbeFindings.nobody) : nil
                finding = RegistrationProbeFindings(probed, besides: other).finding
            }
            return [finding] + (await loopback(application, uri, isKnown: finding.verdict == .passed))
        } catch let error as NSError where error.userInfo[MSALHTTPResponseCodeKey] != nil {
            // The authority takes requests from the application alone, and this is its response to one.
            return [CheckFinding("Registration", ofSignIn: error)]
        } catch {
            return [RegistrationProbeFindings.failed(Failure(reporting: error).reason)]
        }
    }

    /// The time limit of the request, in seconds.
    static let patience = 15

    /// The state of the profile's authority; `nil` without requests.
    private func probe(
        _ profile: Profile?, _ known: MSALPublicClientApplication?
    ) async -> Result<MSALAuthorityProbe, any Error>? {
        // The authority of an unknown resource has just responded, and the client isn't registered there yet.
        guard let profile, !isOffline, resource == nil || known != nil else { return nil }
        do {
            let application = try known ?? profile.examinable().applicationToLookAt()
            if let probe = await within(.seconds(Self.patience), { await application.probeAuthority() }) {
                return .success(probe)
            }
            try Task.checkCancellation()
            throw Failure(
                .network, name: "noResponse", "No response from the authority in \(Self.patience) seconds.",
                nextStep: "Check the network, proxy and URL, then try again.")
        } catch {
            return .failure(error)
        }
    }

    private func cache(_ profile: Profile?, _ known: MSALPublicClientApplication?) -> [CheckFinding] {
        guard let profile else { return [] }
        do {
            let application =
                acceptsCache
                ? try profile.local().application { $0.cacheConfig.acceptsReplacedStore = true }
                : try profile.local().applicationToLookAt()
            let protection = Self.outcome { try application.cacheProtection }
            return CacheFindings(
                protection: protection, accounts: Self.outcome { try (known ?? application).allAccounts().count },
                obstacle: (try? protection.get())?.path.flatMap(Self.obstacle)
            ).all
        } catch {
            return [CheckFinding("Token cache", failure: error)]
        }
    }

    /// Why a sign-in couldn't write the cache. Looking at it creates and changes nothing, so this has to be tried.
    private static func obstacle(toWriting path: String) -> Failure? {
        guard let code = PrivateFolder.codeOfWriting(to: path) else { return nil }
        return Failure(
            .store, name: "cacheUnwritable", "A sign-in can't write \(path): \(systemReason(code)).",
            nextStep: PrivateFolder.remedy(for: code) ?? "Check the disk's free space.")
    }

    private static func outcome<Value>(_ body: () throws -> Value) -> Result<Value, Failure> {
        Result { try body() }.mapError { Failure($0).told(\.sentence) }
    }

    private func machine(
        _ profile: Profile?, _ probe: MSALAuthorityProbe?, in surroundings: Surroundings
    ) async -> MachineFindings {
        let cached = try? profile?.examinable().applicationToLookAt().cachedDeviceCodeSupport
        let hasResponded = probe != nil && probe?.issuer != nil
        let broker: MachineFindings.Broker =
            if let profile { await .init(for: profile.local(), in: surroundings) } else { .notCalled }
        return MachineFindings(
            handler: await handler(of: profile, in: surroundings), broker: broker, terminal: .init(surroundings),
            method: .init(
                surroundings.machine, profile: profile,
                offersDeviceCode: hasResponded ? probe?.offersDeviceCode : cached))
    }

    /// The handler of this program's redirect URI. Other applications' handlers aren't on this desktop.
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

    func supportReport(in surroundings: Surroundings) async -> SupportReport {
        let chosen = chosen(in: surroundings)
        let configured = try? chosen.get()
        let subject = await subject(of: configured, in: surroundings)
        return SupportReport(
            versions: Self.versions, check: await report(on: chosen, subject, in: surroundings),
            attempt: AttemptFile(in: surroundings.environment).read(), date: surroundings.now(),
            masking: Masking(
                words: Self.words(subject.profile ?? configured, in: surroundings)
                    + [resource?.host()].compactMap(\.self)))
    }

    private static var versions: [Explanation.Row] {
        [
            .init("keyturn", Release.version),
            .init("MSAL API", MSALPublicClientApplication.sdkVersion ?? "unknown"),
            .init("Linux", ProcessEnvironment.kernelRelease),
        ]
    }

    /// The names of users, tenants, hosts and paths to mask.
    private static func words(_ profile: Profile?, in surroundings: Surroundings) -> [String] {
        let environment = surroundings.environment
        let machine = [environment["HOME"], environment["USER"], environment["LOGNAME"], environment["HOSTNAME"]]
        guard let profile else { return machine.compactMap(\.self) }
        let accounts = (try? profile.applicationToLookAt().allAccounts()) ?? []
        let identifying = accounts.flatMap { account in
            [account.username, account.homeAccountId?.tenantId, account.homeAccountId?.objectId]
                + (account.tenantProfiles ?? []).flatMap {
                    [$0.tenantId, $0.identifier, $0.claims?["name"] as? String]
                }
        }
        let own = [profile.name, profile.clientID, profile.redirectURI, profile.bundleIdentifier, profile.cacheFile]
        let isWellKnown: (String) -> Bool = { ["http://localhost", "demo", "common", "organizations"].contains($0) }
        return (machine + identifying + own).compactMap(\.self).filter { !isWellKnown($0) }
    }
}

extension Profile {
    fileprivate func examinable() -> Profile {
        var profile = self
        profile.redirectURI = "http://localhost"
        return profile
    }

    /// The profile for checks without requests, which need no CA file.
    fileprivate func local() -> Profile {
        var profile = examinable()
        profile.certificateAuthorityFile = nil
        return profile
    }
}
