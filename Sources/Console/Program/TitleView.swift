import AuthEngine
import TerminalUI

/// The top row: where one is, and what the program is set up for.
struct TitleView {
    private let context: Context
    private let title: String

    init(_ context: Context, title: String) {
        self.context = context
        self.title = title
    }

    func draw(on surface: inout Surface, in frame: Frame) {
        let end = surface.writeLine("Keyturn  ", in: frame.title, style: .muted)
        let rest = frame.title.splitLeft(end - frame.title.minX).rest
        let after = surface.writeLine(title, in: rest, style: Style(.title, .bold))
        if let profile = context.profile {
            let room = rest.splitLeft(after - rest.minX + 2).rest
            let text = "\(profile.name) \(surface.glyphs.separator) \(profile.authority)"
            surface.writeLine(text, in: room, alignment: .trailing, style: .muted)
        }
        drawRule(on: &surface, in: frame.rule)
    }

    /// With what protects the token cache in it: whatever is on the screen, that is to be seen.
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
        case .keyring: "tokens sealed, key in the keyring"
        case .passphrase: "tokens sealed, key from a passphrase"
        case .keyFile: "tokens sealed, key in a file"
        case .unifiedFile: "tokens in a shared file, not sealed"
        case .memory: "tokens in memory only"
        }
    }
}
