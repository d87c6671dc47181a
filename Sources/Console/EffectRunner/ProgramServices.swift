import Foundation
import MSAL
import TerminalUI

/// Lends the terminal to another program while that runs.
package typealias TerminalLender = @Sendable (@Sendable () async -> Void) async -> Void

/// Services outside the library. Each has a default for programs without it.
package struct ProgramServices: Sendable {
    /// Opens the sign-in page instead of the system's browser.
    package var openURL: (@Sendable (URL) async throws -> Void)?
    /// Starts the scenario with a name, or the demo without one, replacing the open one. Its scripted user does the first
    /// steps.
    package var openScenario: (@Sendable (_ name: String?, _ steps: Int) async throws -> OpenedScenario)?
    /// Lends the terminal to a text browser while it runs.
    package var lendTerminal: TerminalLender?
    /// Copies a text to the terminal's clipboard.
    package var copy: @Sendable (String) -> CopyOutcome = { _ in .rejected("No terminal.") }
    /// Writes a text to a private file with this name, and returns its path.
    package var save: @Sendable (_ text: String, _ name: String) throws -> String = { _, _ in
        throw CocoaError(.fileWriteNoPermission)
    }
    /// The path of the configuration file.
    package var configPath = ""
    /// The profiles of the configuration.
    package var entries: @Sendable () throws -> [ProfileEntry] = { [] }
    /// Does work that isn't the library's; nil for other work.
    /// - Parameters:
    ///   - program: the services of the running program, with those of its terminal.
    ///   - use: replaces the application, for another profile.
    package var perform:
        @Sendable (
            _ work: Work, _ program: ProgramServices, _ use: @Sendable (MSALPublicClientApplication) -> Void
        ) async -> WorkResult? = { _, _, _ in nil }
    /// The configuration to find the authority of an API with; nil for that of the open application.
    package var resourceConfiguration: (@Sendable (URL) throws -> MSALPublicClientApplicationConfig)?
    package var call: CallAPI = { _, _, _, _ in throw CocoaError(.featureUnsupported) }
    /// Saves the user's choices for the next run with this profile.
    package var saveChoices: @Sendable (SavedChoices, _ profile: String) throws -> Void = { _, _ in }
    /// Saves the identifier of the default account of this profile; nil for none.
    package var saveDefaultAccount: @Sendable (_ account: String?, _ profile: String) throws -> Void = { _, _ in }
    /// Shows the screen with this theme, with or without the mouse.
    package var display: @Sendable (ScreenDisplay) -> Void = { _ in }
    /// Drops what was typed so far.
    package var forgetTyped: @Sendable () -> Void = {}
    /// Saves the theme and the use of the mouse for the next run.
    package var saveDisplay: @Sendable (ScreenDisplay) throws -> Void = { _ in }

    package init() {}
}
