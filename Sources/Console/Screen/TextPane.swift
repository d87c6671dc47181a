import TerminalUI

/// A text that scrolls.
struct TextPane: Sendable, Equatable {
    /// The first visible line.
    var top = 0

    func extent(of lines: [StyledLine], in area: Rect) -> Extent {
        let last = ScrollingText(lines).lastOffset(height: area.height)
        return Extent(position: min(top, last), last: last, page: area.height)
    }

    func draw(_ lines: [StyledLine], on surface: inout Surface, in area: Rect) {
        ScrollingText(lines, offset: top).draw(on: &surface, in: area)
        surface.cursor = Surface.Cursor(area.origin, isVisible: false)
    }
}

/// A screen whose content is a text.
protocol TextScreen: MovingScreen {
    var pane: TextPane { get set }
    func text(in area: Rect, _ context: Context) -> [StyledLine]
    /// The area of the text.
    func area(_ context: Context) -> Rect
}

extension TextScreen {
    var top: Int {
        get { pane.top }
        set { pane.top = newValue }
    }

    func area(_ context: Context) -> Rect { context.frame.body }

    func extent(_ context: Context) -> Extent? {
        let area = area(context)
        return pane.extent(of: text(in: area, context), in: area)
    }

    mutating func go(to position: Int, _ context: inout Context) { pane.top = position }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        pane.draw(text(in: rect, context), on: &surface, in: rect)
    }
}
