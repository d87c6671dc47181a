import Diagnosis
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
    /// Writes a text to the path, which may begin with `~/`.
    package var write: @Sendable (_ text: String, _ path: String, _ replaces: Bool) throws -> Void = { _, _, _ in
        throw CocoaError(.fileWriteNoPermission)
    }
    /// Checks the set-up of the open profile.
    package var check: @Sendable (ProgramProfile?) async -> CheckReport = { _ in CheckReport([]) }
    /// The profile's support report, without secrets or names.
    package var report: @Sendable (ProgramProfile?) async -> String = { _ in "" }
    /// Explains a text or the file with this name.
    package var explain: @Sendable (_ text: String, ProgramProfile?, _ isOffline: Bool) async throws -> Explained = {
        _, _, _ in
        throw CocoaError(.fileReadNoPermission)
    }
    /// Compares two texts or files; without a second one with a sign-in at the built-in authority.
    package var compare: @Sendable (_ text: String, _ other: String?) async throws -> Comparison = { _, _ in
        throw CocoaError(.fileReadNoPermission)
    }
    /// The names in a folder, whose path can begin with `~/`; empty for the current folder.
    package var listFolder: @Sendable (String) throws -> [FolderEntry] = { _ in
        throw CocoaError(.fileReadNoPermission)
    }
    /// Opens a file in the user's editor, at a line, and waits until it's closed.
    package var edit: @Sendable (_ path: String, _ line: Int?, _ lend: TerminalLender?) async throws -> Void = {
        _, _, _ in
        throw CocoaError(.featureUnsupported)
    }
    /// The verdicts on a token with its issuer's keys, or one that says why there are none.
    package var verify: @Sendable (_ token: String, ProgramProfile?) async -> [MSALIDTokenVerdict] = { _, _ in [] }
    /// A copy of the text or file without secrets, names and addresses, and what was replaced.
    package var redact: @Sendable (_ text: String, _ hiding: [String], ProgramProfile?) throws -> Redaction = {
        _, _, _ in
        throw CocoaError(.fileReadNoPermission)
    }
    /// The same copy beside its original.
    package var review: @Sendable (_ text: String, _ hiding: [String], ProgramProfile?) throws -> ReviewedCopy = {
        _, _, _ in
        throw CocoaError(.fileReadNoPermission)
    }
    /// Throws if the path is that of the file to copy, which a copy must not replace.
    package var keepSource: @Sendable (_ text: String, _ path: String) throws -> Void = { _, _ in }
    /// Writes the files of a case into a folder, or into an archive if the path ends in `.zip`. Returns what the copy replaced.
    package var writeCase:
        @Sendable (_ text: String, _ hiding: [String], ProgramProfile?, _ path: String, _ replaces: Bool) throws ->
            String = {
                _, _, _, _, _ in
                throw CocoaError(.fileWriteNoPermission)
            }
    /// Whether this program handles the scheme of the profile's redirect URI.
    package var urlHandler: @Sendable (ProgramProfile?) async -> MachineFindings.Handler = { _ in .notNeeded }
    /// The open doors of this user, after closing one.
    package var doors: @Sendable (_ closing: OpenDoor?) async -> [OpenDoor] = { _ in [] }
    /// Calls an API.
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
