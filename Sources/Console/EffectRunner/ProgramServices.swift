import Foundation
import MSAL
import TerminalUI

/// Lends the terminal to another program while that runs.
package typealias TerminalLender = @Sendable (@Sendable () async -> Void) async -> Void

/// Services outside the library. Each has a default for programs without it.
package struct ProgramServices: Sendable {
    /// Opens the sign-in page instead of the system's browser.
    package var openURL: (@Sendable (URL) async throws -> Void)?
    /// Starts a scenario, or the demo without a name, replacing the open one. Its scripted user does the first steps.
    package var openScenario: (@Sendable (_ name: String?, _ steps: Int) async throws -> OpenedScenario)?
    package var lendTerminal: TerminalLender?
    package var copy: @Sendable (String) -> CopyOutcome = { _ in .rejected("No terminal.") }
    /// Writes a text to a private file with this name, and returns its path.
    package var save: @Sendable (_ text: String, _ name: String) throws -> String = { _, _ in
        throw CocoaError(.fileWriteNoPermission)
    }
    package var configPath = ""
    package var entries: @Sendable () throws -> [ProfileEntry] = { [] }
    /// Does work that isn't the library's; nil for other work.
    /// - Parameter program: the services of the running program, with those of its terminal.
    /// - Parameter use: replaces the application, for another profile.
    package var perform:
        @Sendable (
            _ work: Work, _ program: ProgramServices, _ use: @Sendable (MSALPublicClientApplication) -> Void
        ) async -> WorkResult? = { _, _, _ in nil }
    /// The configuration to find the authority of an API with; nil for that of the open application.
    package var resourceConfiguration: (@Sendable (URL) throws -> MSALPublicClientApplicationConfig)?
    package var call: CallAPI = { _, _, _, _ in throw CocoaError(.featureUnsupported) }
    package var saveChoices: @Sendable (SavedChoices, _ profile: String) throws -> Void = { _, _ in }
    /// Saves the identifier of the default account of this profile; nil for none.
    package var saveDefaultAccount: @Sendable (_ account: String?, _ profile: String) throws -> Void = { _, _ in }
    package var display: @Sendable (ScreenDisplay) -> Void = { _ in }
    package var forgetTyped: @Sendable () -> Void = {}
    /// Saves the theme and the use of the mouse for the next run.
    package var saveDisplay: @Sendable (ScreenDisplay) throws -> Void = { _ in }

    package init() {}
}
