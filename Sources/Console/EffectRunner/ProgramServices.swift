import Diagnosis
import Foundation
import TerminalUI

/// What the program can have done outside the library. Each has a default for where it cannot be had.
package struct ProgramServices: Sendable {
    /// Opens the sign-in page in place of the system's browser.
    package var openURL: (@Sendable (URL) async throws -> Void)?
    /// Starts the scenario of a name, in place of the one that is open.
    package var openScenario: (@Sendable (_ name: String) async throws -> OpenedScenario)?
    /// Gives the terminal to a text browser for as long as it runs.
    package var lendTerminal: (@Sendable (@Sendable () async -> Void) async -> Void)?
    /// To the terminal's clipboard.
    package var copy: @Sendable (String) -> CopyOutcome = { _ in .refused("There is no terminal.") }
    /// Writes a text to a file of this name that only the person can read, and gives its path.
    package var save: @Sendable (_ text: String, _ name: String) throws -> String = { _, _ in
        throw CocoaError(.fileWriteNoPermission)
    }
    /// Looks at the set-up of the profile that is open.
    package var check: @Sendable (ProgramProfile?) async -> CheckReport = { _ in CheckReport([]) }
    /// What to give to whoever helps with that profile; no secrets and no names are in it.
    package var report: @Sendable (ProgramProfile?) async -> String = { _ in "" }
    /// Whether the desktop brings the answer to that profile's redirect URI back here.
    package var urlHandler: @Sendable (ProgramProfile?) async -> MachineFindings.Handler = { _ in .notNeeded }
    /// Keeps what was chosen on the screen for the next run with the profile of this name.
    package var keep: @Sendable (KeptChoices, _ profile: String) throws -> Void = { _, _ in }

    package init() {}
}
