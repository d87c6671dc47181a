import Foundation
import TerminalUI

/// The display options of the program. Only ``display`` changes while it runs.
package struct ProgramOptions: Sendable, Equatable {
    /// Whether to draw borders and marks in ASCII.
    package var ascii: Bool
    /// Whether to omit colours. Views can ignore this, because a word or mark always accompanies a colour.
    package var noColor: Bool
    /// Whether to update at most once a second without input.
    package var noMotion: Bool
    /// The time zone for local times.
    package var timeZone: TimeZone
    /// The sign-in methods for this machine.
    package var proposal: MethodProposal
    package var display = ScreenDisplay()
    /// Whether the terminal may have a clipboard. Without one, a text is saved to a file, after a question.
    package var hasClipboard = true
    /// Whether a user types the input.
    package var hasTypedInput = true

    /// The text or file whose redacted copy is reviewed first.
    package var reviewed: String?
    /// What the user hides in this copy.
    package var hiddenTexts: [String] = []

    package init(
        ascii: Bool = false, noColor: Bool = false, noMotion: Bool = false, timeZone: TimeZone = .gmt,
        proposal: MethodProposal = MethodProposal(MachineFacts(hasDisplay: true))
    ) {
        self.ascii = ascii
        self.noColor = noColor
        self.noMotion = noMotion
        self.timeZone = timeZone
        self.proposal = proposal
    }
}
