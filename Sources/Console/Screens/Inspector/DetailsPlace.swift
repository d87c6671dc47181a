import TerminalUI

/// The details beside or below a list: where they stand, and which of their lines is the first that is seen.
struct DetailsPlace {
    let area: Rect
    /// Within the text, also after a resize.
    let offset: Int
    /// The largest useful offset.
    let last: Int

    init(_ text: ScrollingText, in area: Rect) {
        self.area = area
        last = text.lastOffset(height: area.height)
        offset = min(text.offset, last)
    }
}
