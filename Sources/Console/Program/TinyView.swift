import TerminalUI

/// The content of a window that is too small for a screen. Keys still work.
struct TinyView {
    func draw(on surface: inout Surface) {
        let needed =
            "Needs \(Frame.smallest.width)x\(Frame.smallest.height), has "
            + "\(surface.size.width)x\(surface.size.height)."
        ScrollingText(StyledLine.wrap("\(needed) Press q to close.", to: surface.size.width)).draw(
            on: &surface, in: surface.bounds)
        surface.cursor = surface.size == .zero ? nil : Surface.Cursor(.zero, isVisible: false)
    }
}
