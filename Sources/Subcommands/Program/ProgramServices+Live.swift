import Console
import Glibc
import KeyturnSystem
import MSAL

extension ProgramServices {
    /// The services of the terminal program on this machine.
    /// - Parameter demo: opens scenarios; its open profile replaces the configuration's.
    init(_ settings: Settings, _ demo: DemoSession, in surroundings: Surroundings) {
        self.init()
        let profiles = FileProfileBook(settings, in: surroundings)
        let choices = SavedChoicesFile(in: surroundings.environment)
        openURL = surroundings.browser
        openScenario = { name, steps in
            let scenario = if let name { await demo.scenario(named: name) } else { Scenario?.none }
            let opened = try await demo.open(scenario ?? .plainSignIn).opened(withWalk: scenario != nil)
            try await scenario?.replay(steps, in: opened, now: surroundings.now)
            return opened
        }
        configPath = profiles.path
        entries = profiles.entries
        save = SavedFiles(in: surroundings.environment).write(_:named:)
        perform = ProgramWork(settings: settings, profiles: profiles, demo: demo, surroundings: surroundings).perform
        resourceConfiguration = { url in
            try settings.profile(in: surroundings.environment, forResource: url).configuration()
        }
        call = RecordedCall(environment: surroundings.environment).perform
        saveChoices = { try choices.save($0, of: $1) }
        saveDefaultAccount = { account, profile in try choices.change(profile) { $0.account = account } }
        saveDisplay = { try choices.save($0) }
    }
}

extension MachineFacts {
    static func live(_ environment: [String: String]) -> MachineFacts {
        // Podman and Docker create one of these.
        let marks: [String] = ["/run/.containerenv", "/.dockerenv"]
        let isContainer = marks.contains { access($0, F_OK) == 0 }
        return MachineFacts(
            environment: environment, kernelRelease: ProcessEnvironment.kernelRelease, isContainer: isContainer)
    }
}
