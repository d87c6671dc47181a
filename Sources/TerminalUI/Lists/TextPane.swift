package struct TextPane: Sendable, Equatable {
    package var top = 0

    package init() {}

    package func extent(of lines: [StyledLine], in area: Rect) -> Extent {
        let last = ScrollingText(lines).lastOffset(height: area.height)
        return Extent(position: min(top, last), last: last, page: area.height)
    }

    package func draw(_ lines: [StyledLine], on surface: inout Surface, in area: Rect) {
        ScrollingText(lines, offset: top).draw(on: &surface, in: area)
        surface.cursor = Surface.Cursor(area.origin, isVisible: false)
    }
}

/// The area of the details pane, with its scroll offset and the largest useful one.
package struct DetailsPlace {
    package let area: Rect
    package let offset, last: Int

    package init(_ text: ScrollingText, in area: Rect) {
        self.area = area
        last = text.lastOffset(height: area.height)
        offset = min(text.offset, last)
    }
}
