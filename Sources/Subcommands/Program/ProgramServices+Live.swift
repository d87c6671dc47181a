import Console
import Foundation

extension ProgramServices {
    /// What the terminal program has done on this machine, full screen or in lines.
    /// - Parameters:
    ///   - open: the profile that is in use whatever the configuration says; another scenario has another.
    ///   - scenarios: starts the demonstration's scenario of that name.
    init(
        _ settings: Settings, _ profiles: FileProfileBook, otherwise open: @escaping @Sendable () async -> Profile?,
        scenarios: (@Sendable (_ name: String) async throws -> OpenedScenario)?, in surroundings: Surroundings
    ) {
        self.init()
        let examination: @Sendable (ProgramProfile?) async -> SetupExamination = {
            await SetupExamination(of: $0, settings, in: profiles, otherwise: open)
        }
        let choices = KeptChoicesFile(in: surroundings.environment)
        openURL = surroundings.browser
        openScenario = scenarios
        save = SavedFiles(in: surroundings.environment).write(_:named:)
        check = { await examination($0).report(in: surroundings) }
        report = { await examination($0).supportReport(in: surroundings).text }
        urlHandler = {
            let examination = await examination($0)
            return await examination.handler(of: examination.given, in: surroundings)
        }
        keep = { try choices.keep($0, of: $1) }
    }
}
