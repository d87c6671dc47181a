/// How roles become colours; a person's choice.
package enum ScreenTheme: String, Sendable, CaseIterable {
    /// The terminal's own colours on its own background.
    case standard = "default"
    /// No colours: bold, reverse and underline.
    case mono
    /// Few colours, far apart, on a background of its own.
    case contrast
}
