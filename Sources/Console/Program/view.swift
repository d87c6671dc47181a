import MSAL
import TerminalUI

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
    static let quittingKeys: Set<Key> = [Verb.close.key, .control("c")]

    func draw(on surface: inout Surface) {
        let (size, smallest) = (surface.size, Frame.smallest)
        let text =
            "Terminal: \(size.width)x\(size.height). Keyturn needs \(smallest.width)x\(smallest.height). "
            + "Enlarge the window, or press \(Verb.close.label) to quit."
        ScrollingText(StyledLine.wrap(text, to: size.width)).draw(on: &surface, in: surface.bounds)
        surface.cursor = surface.size == .zero ? nil : Surface.Cursor(.zero, isVisible: false)
    }
}

struct TitleView {
    @Boxed var context: Context
    let title: String
    /// The position in a list or playback.
    let place: String

    func draw(on surface: inout Surface, in frame: Frame) {
        let edge = surface.writeLine("Keyturn  ", in: frame.title, style: .muted)
        let rest = frame.title.splitLeft(edge - frame.title.minX).rest
        let titled = surface.writeLine(title, in: rest, style: Style(.title, .bold))
        let after =
            place.isEmpty
            ? titled : surface.writeLine("  \(place)", in: rest.splitLeft(titled - rest.minX).rest)
        if let profile = context.profile {
            let room = rest.splitLeft(after - rest.minX + 2).rest
            let step = context.isStepping ? "step \(surface.glyphs.separator) " : ""
            let text = "\(step)\(profile.name) \(surface.glyphs.separator) \(profile.authority)"
            surface.writeLine(text, in: room, alignment: .trailing, style: .muted)
        }
        surface.drawRule(in: frame.rule)
        guard let protection = context.cacheProtection else { return }
        let rule = frame.rule.inset(horizontal: 1)
        surface.writeLine(" \(protection.kind.words) ", in: rule, alignment: .trailing, style: .muted)
    }
}

extension MSALCacheProtection.Kind {
    fileprivate var words: String {
        switch self {
        case .keyring: "tokens encrypted, key in keyring"
        case .passphrase: "tokens encrypted, key from passphrase"
        case .keyFile: "tokens encrypted, key in file"
        case .unifiedFile: "tokens in shared file, not encrypted"
        case .memory: "tokens in memory only"
        }
    }
}
