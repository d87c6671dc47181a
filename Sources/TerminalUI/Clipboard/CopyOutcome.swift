/// The outcome of copying a text to the terminal's clipboard.
package enum CopyOutcome: Sendable, Hashable {
    /// The text was sent. Terminals don't confirm it.
    case sent
    /// The text wasn't sent, with the reason as a sentence.
    case refused(String)
}
