/// What became of a text on its way to the terminal's clipboard.
package enum CopyOutcome: Sendable, Hashable {
    /// It was sent. No terminal says whether it took it.
    case sent
    /// It was not, and why, as a sentence.
    case refused(String)
}
