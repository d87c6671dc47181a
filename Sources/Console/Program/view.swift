import TerminalUI

/// Draws the whole screen from the model.
package func view(_ model: Model, _ size: Size) -> Surface {
    var model = model
    // All layouts read the size from the context, so that update and view agree.
    model.context.size = size
    model.settle()
    var surface = Surface(size: size, glyphs: model.context.glyphs)
    guard Frame.fits(size) else {
        TinyView().draw(on: &surface)
        return surface
    }
    let frame = model.context.frame
    let title = model.screens[model.body].base.title(model.context)
    TitleView(context: model.context, title: title, place: model.moving?.place(model.context) ?? "").draw(
        on: &surface, in: frame)
    model.draw(model.body, on: &surface, in: frame.body)
    WalkView(model.context)?.draw(on: &surface, in: frame.walk)
    StatusView(model).draw(on: &surface, in: frame)
    for index in model.screens.indices.dropFirst(model.body + 1) { model.draw(index, on: &surface, in: frame.body) }
    return surface
}

extension Model {
    fileprivate func draw(_ index: Int, on surface: inout Surface, in rect: Rect) {
        var context = context
        if index != top { context.stage = stage(of: index) }
        screens[index].base.draw(on: &surface, in: rect, context)
    }
}

/// The content of a window that is too small for a screen.
struct TinyView {
    /// The keys that still work.
    static let quittingKeys: Set<Key> = [Verb.close.key, .control("c")]

    func draw(on surface: inout Surface) {
        let needed =
            "Terminal: \(surface.size.width)x\(surface.size.height). "
            + "Keyturn needs \(Frame.smallest.width)x\(Frame.smallest.height)."
        ScrollingText(
            StyledLine.wrap(
                "\(needed) Enlarge the window, or press \(Verb.close.label) to quit.", to: surface.size.width
            )
        ).draw(
            on: &surface, in: surface.bounds)
        surface.cursor = surface.size == .zero ? nil : Surface.Cursor(.zero, isVisible: false)
    }
}
