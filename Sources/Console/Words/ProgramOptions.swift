import Foundation

/// How the program shows things; fixed for as long as it runs.
package struct ProgramOptions: Sendable, Equatable {
    /// Borders and marks from ASCII only.
    package var ascii: Bool
    /// The screen is opened without colours. Views need not know: all they say by colour they say by a word or a mark too.
    package var noColor: Bool
    /// Nothing on the screen moves by itself faster than once a second.
    package var noMotion: Bool
    /// The zone for local times.
    package var timeZone: TimeZone
    /// Which ways to sign in fit this machine.
    package var proposal: WayProposal

    package init(
        ascii: Bool = false, noColor: Bool = false, noMotion: Bool = false, timeZone: TimeZone = .gmt,
        proposal: WayProposal = WayProposal(MachineFacts(hasDisplay: true))
    ) {
        self.ascii = ascii
        self.noColor = noColor
        self.noMotion = noMotion
        self.timeZone = timeZone
        self.proposal = proposal
    }
}
