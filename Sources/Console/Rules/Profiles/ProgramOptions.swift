import Diagnosis
import Foundation
import TerminalUI

/// A sign-in that holds each request (`keyturn step`).
package struct SteppedSignIn: Sendable, Equatable {
    /// The API that names the authority; nil for the profile's.
    package var resource: URL?
    /// The recorded sign-in to walk with own values.
    @Boxed package var like: RecordedSignIn?

    package init(resource: URL? = nil, like: RecordedSignIn? = nil) { (self.resource, self.like) = (resource, like) }
}

/// The display options of the program. Only ``display`` changes while it runs.
package struct ProgramOptions: Sendable, Equatable {
    package var ascii: Bool
    /// Whether to omit colours. Views can ignore this, because a word or mark always accompanies a colour.
    package var noColor: Bool
    /// Whether to update at most once a second without input.
    package var noMotion: Bool
    package var timeZone: TimeZone
    package var proposal: MethodProposal
    package var display = ScreenDisplay()
    /// Whether the terminal may have a clipboard. Without one, a text is saved to a file, after a question.
    package var hasClipboard = true
    package var hasTypedInput = true

    /// The sign-in to start with, which holds each request; nil to start with the accounts.
    package var steps: SteppedSignIn?

    /// The text or file whose redacted copy is reviewed first.
    package var reviewed: String?
    /// What the user hides in this copy.
    package var hiddenTexts: [String] = []

    package init(
        ascii: Bool = false, noColor: Bool = false, noMotion: Bool = false, timeZone: TimeZone = .gmt,
        proposal: MethodProposal = MethodProposal(MachineFacts(hasDisplay: true))
    ) {
        (self.ascii, self.noColor, self.noMotion) = (ascii, noColor, noMotion)
        (self.timeZone, self.proposal) = (timeZone, proposal)
    }
}
