/// What a piece of text is for. Screens turn roles into the terminal's colours; a view never names a colour.
///
/// Colour never carries meaning alone: whatever a role says is also said by a word or a mark.
package enum Role: String, Sendable, Hashable, CaseIterable {
    case text, muted, accent, selection, title, success, warning, danger, key, border
    /// An address to open or copy.
    case link
    /// A picture for a scanner: dark on light, whatever the terminal's own colours.
    case picture
}
