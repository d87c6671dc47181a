import Console
import DemoAuthority
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// The running built-in authority, and a profile for it with a temporary cache.
struct DemoSetting: Sendable {
    let scenario: Scenario
    let server: DemoAuthorityServer
    @Boxed var profile: Profile
    private var adalFile: URL?

    /// - Parameter isDeferred: whether the authority loads its web server in the background.
    init(_ scenario: Scenario, in folder: TemporaryFolder, port: UInt16 = 0, isDeferred: Bool = false) async throws {
        self.scenario = scenario
        server = try await DemoAuthorityServer.start(
            port: port, usesTLS: scenario.client.usesUntrustedTLS, settings: scenario.settings, isDeferred: isDeferred)
        var profile = Self.profile(of: server, for: scenario.client)
        profile.cacheFile = folder.path + "/tokens.db"
        // Not in the user's keyring, as the cache is temporary.
        profile.cacheKey = .keyFile
        self.profile = profile
        guard let username = scenario.client.adalUsername else { return }
        let file = URL(fileURLWithPath: folder.path + "/accessTokens.json")
        try Data(await server.adalCache(of: username, scopes: scenario.client.scopes)).write(to: file)
        adalFile = file
    }

    /// An application by the index of its redirect URI in the scenario. All share the cache.
    func application(_ index: Int = 0) throws -> MSALPublicClientApplication {
        var profile = profile
        profile.redirectURI = scenario.client.redirectURIs[index]
        profile.clientID = scenario.client.clientID(of: index) ?? server.clientID
        return try profile.application { $0.cacheConfig.adalCacheFiles = [adalFile].compactMap(\.self) }
    }

    static func profile(of server: DemoAuthorityServer, for client: Scenario.Client = Scenario.Client()) -> Profile {
        let authority = server.authorityURL(client.segment)
        var profile = Profile(name: "demo", clientID: client.clientID ?? server.clientID, authority: authority)
        profile.authorityType = client.type
        // A known authority, to skip instance discovery.
        profile.knownAuthorities = [authority]
        profile.scopes = client.scopes
        profile.clientCapabilities = client.capabilities
        if client.isManaged, let origin = URL(string: authority.origin) {
            profile.managedServers = [
                origin: ManagedServer(
                    authority: server.authorityURL("\(Directory.fabrikam)/v2.0"), clientID: server.clientID)
            ]
        }
        return profile
    }

    var shown: ProgramProfile { shown(server.directory.users(at: .anyone)) }

    private func shown(_ users: [User]) -> ProgramProfile {
        profile.shown(hints: users.map { "\($0.username)  password: \($0.password)" }, isDemo: true)
    }

    func opened(withWalk: Bool) -> OpenedScenario {
        var shown = withWalk ? shown(scenario.users) : shown
        shown.walk = withWalk ? scenario.walk : nil
        return scenario.opened(
            shown, application: application,
            authority: { try Profile.libraryAuthority(server.authorityURL($0), scenario.client.type) },
            browser: .live(), wait: { try await sleep(for: .seconds($0)) }, call: RecordedCall().perform)
    }
}

extension Scenario {
    func opened(
        _ profile: ProgramProfile, application: @escaping @Sendable (Int) throws -> MSALPublicClientApplication,
        authority: @escaping @Sendable (_ segment: String) throws -> MSALAuthority, browser: ScriptedBrowser,
        wait: @escaping @Sendable (_ seconds: Double) async throws -> Void, call: @escaping CallAPI
    ) -> OpenedScenario {
        var profile = profile
        profile.scenarios = Scenario.all.map(ScenarioSummary.init)
        profile.faults = Fault.allCases.map { ScenarioSummary(Scenario($0)) }
        profile.user = steps.first?.username
        return OpenedScenario(
            profile: profile, application: application, authority: authority,
            act: { page, index, isCode, onPage in
                let step = index.map { steps[$0] } ?? steps.first
                guard let step, let user = Directory.standard.user(named: step.username) else {
                    throw Failure(
                        .failed, name: "scenario", "This scenario has no such user.", nextStep: "Report this bug.")
                }
                if step.hesitation > 0 { try await wait(step.hesitation) }
                try await browser.act(on: page, as: user, for: step, isCode: isCode, onPage: onPage)
            }, wait: wait, call: call)
    }

    /// Lets the scripted user do the first steps, so that the next one can be done again.
    func replay(_ steps: Int, in opened: OpenedScenario, now: @escaping @Sendable () -> Date) async throws {
        guard steps > 0 else { return }
        try Tour.check(await WalkPlayer(opened, now: now).play(steps: steps), of: self, steps: steps)
    }

    /// The scenario with this name, or the plain sign-in without one.
    static func chosen(_ word: String?) throws(UsageError) -> Scenario {
        guard let word else { return .plainSignIn }
        if let scenario = opened(named: word) { return scenario }
        if let near = nearest(to: word, in: all.map(\.name)) { throw .unknownScenario(word, near: near) }
        let related =
            word.count < 3
            ? [] : all.filter { "\($0.name) \($0.story)".lowercased().contains(word.lowercased()) }.map(\.name)
        throw .unknownScenario(word, near: related.isEmpty ? nil : Array(related.prefix(3)).alternatives)
    }

    /// The scenario or the fault with this name, as the lists open it.
    static func opened(named name: String) -> Scenario? {
        named(name) ?? Fault.allCases.lazy.map(Scenario.init).first { $0.name == name }
    }

    static var list: TextTable { TextTable(rows: all.map { [$0.name, $0.story] }) }
}

extension ScenarioSummary {
    init(_ scenario: Scenario) { self.init(name: scenario.name, title: scenario.title, story: scenario.story) }
}

extension Fault {
    static func chosen(_ word: String) throws(UsageError) -> Fault {
        if let fault = Fault(named: word) { return fault }
        let near = nearest(to: word, in: allCases.map(\.name)) ?? allCases.first { $0.name.contains(word) }?.name
        throw .unknownFault(word, near: near)
    }

    static var list: TextTable {
        let rows = allCases.map { [$0.name, $0.demand.rawValue, $0.source ?? "–", $0.behaviour] }
        return TextTable(rows: [["FAULT", "CLIENTS MUST", "SPECIFICATION OR CONFORMANCE TEST", "BEHAVIOUR"]] + rows)
    }
}

/// The open scenario with its authority and files. Opening another one closes it.
actor DemoSession {
    private let environment: [String: String]
    private var current: (setting: DemoSetting, folder: TemporaryFolder)?

    private init(_ environment: [String: String]) { self.environment = environment }

    static func use(
        in surroundings: Surroundings, _ body: (DemoSession, Surroundings) async throws -> Void
    ) async throws {
        let session = DemoSession(surroundings.environment)
        let result = await Result { try await body(session, surroundings) }
        await session.close()
        try result.get()
    }

    var profile: Profile? { current?.setting.profile }

    /// The scenario with this name: the open one, which no list may have, or one of the lists.
    func scenario(named name: String) -> Scenario? {
        if let open = current?.setting.scenario, open.name == name { return open }
        return Scenario.opened(named: name)
    }

    /// Opens a scenario, on the port of the last one: a repeated step has the URLs of the steps before, and a port
    /// forwarded by ssh stays forwarded.
    func open(_ scenario: Scenario, isDeferred: Bool = false) async throws -> DemoSetting {
        let folder = try TemporaryFolder(in: environment)
        let port = current?.setting.server.port ?? 0
        close()
        do {
            let setting: DemoSetting
            do { setting = try await DemoSetting(scenario, in: folder, port: port, isDeferred: isDeferred) } catch {
                guard port != 0 else { throw error }
                // Another program took the port.
                setting = try await DemoSetting(scenario, in: folder, isDeferred: isDeferred)
            }
            current = (setting, folder)
            return setting
        } catch {
            folder.remove()
            throw error
        }
    }

    func close() {
        current?.setting.server.stop()
        current?.folder.remove()
        current = nil
    }
}
