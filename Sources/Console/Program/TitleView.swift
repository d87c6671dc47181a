import MSAL
import TerminalUI

/// The top row: the screen's title and the profile.
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
        drawRule(on: &surface, in: frame.rule)
    }

    /// Draws the rule with the token cache's protection, which is visible on every screen.
    private func drawRule(on surface: inout Surface, in rule: Rect) {
        guard !rule.isEmpty else { return }
        surface.drawRule(in: rule)
        guard let protection = context.cacheProtection else { return }
        surface.writeLine(
            " \(protection.kind.words) ", in: rule.inset(horizontal: 1), alignment: .trailing, style: .muted)
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
