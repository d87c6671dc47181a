import Console
import Foundation
import KeyturnSystem
import MSAL

extension ProgramServices {
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
        let isContainer = ["/run/.containerenv", "/.dockerenv"].contains { (path: String) in access(path, F_OK) == 0 }
        return MachineFacts(
            environment: environment, kernelRelease: ProcessEnvironment.kernelRelease, isContainer: isContainer)
    }
}

/// Files saved from the screen, in the program's data folder. Never overwrites a file.
struct SavedFiles: Sendable {
    private let folder: String

    init(in environment: [String: String]) { folder = BaseDirectory.data(in: environment) + "/keyturn" }

    /// Writes a file that only its owner can read, and returns its path.
    func write(_ text: String, named name: String) throws -> String {
        let file = ExportedFile(path: freePath(name), replaces: false)
        try file.writeMakingFolder(Data(text.utf8))
        return file.path
    }

    private func freePath(_ name: String) -> String {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let ending = parts.count > 1 ? ".\(parts[1])" : ""
        let names = [name] + (2...999).map { "\(parts.first ?? name)-\($0)\(ending)" }
        let free = names.first { !FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
        return "\(folder)/\(free ?? name)"
    }
}
