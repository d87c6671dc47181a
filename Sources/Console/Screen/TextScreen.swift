import TerminalUI

/// A screen whose content is a text.
protocol TextScreen: MovingScreen {
    var pane: TextPane { get set }
    func text(in area: Rect, _ context: Context) -> [StyledLine]
}

extension TextScreen {
    var top: Int {
        get { pane.top }
        set { pane.top = newValue }
    }

    func extent(_ context: Context) -> Extent? {
        let area = context.frame.body
        return pane.extent(of: text(in: area, context), in: area)
    }

    mutating func go(to position: Int, _ context: inout Context) { pane.top = position }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        pane.draw(text(in: rect, context), on: &surface, in: rect)
    }
}
