/// The purpose of a piece of text. Themes map roles to colours; views never name a colour.
///
/// Colour never carries meaning alone: a word or mark always accompanies it.
package enum Role: String, Sendable, Hashable, CaseIterable {
    case text, muted, accent, selection, title, success, warning, danger, key, border
    /// An address to open or copy.
    case link
    /// A QR code: dark on light, regardless of the terminal's colours.
    case picture
}
