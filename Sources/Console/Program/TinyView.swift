import TerminalUI

/// What is left when the window is too small for a screen. Keys still work.
struct TinyView {
    func draw(on surface: inout Surface) {
        let needed =
            "Needs \(Frame.smallest.width)x\(Frame.smallest.height); this is "
            + "\(surface.size.width)x\(surface.size.height)."
        ScrollingText(StyledLine.wrap("\(needed) q closes.", to: surface.size.width)).draw(
            on: &surface, in: surface.bounds)
        surface.cursor = surface.size == .zero ? nil : Surface.Cursor(.zero, isVisible: false)
    }
}
