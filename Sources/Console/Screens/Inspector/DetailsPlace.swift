import TerminalUI

/// The area of the details pane and its scroll offset.
struct DetailsPlace {
    let area: Rect
    /// The scroll offset, limited to the text.
    let offset: Int
    /// The largest useful offset.
    let last: Int

    init(_ text: ScrollingText, in area: Rect) {
        self.area = area
        last = text.lastOffset(height: area.height)
        offset = min(text.offset, last)
    }
}
