/// The colour theme, chosen by the user.
package enum ScreenTheme: String, Sendable, CaseIterable {
    /// The terminal's colours on its own background.
    case standard = "default"
    /// Bold, reverse and underline instead of colours.
    case mono
    /// A few contrasting colours on a fixed background.
    case contrast
}
