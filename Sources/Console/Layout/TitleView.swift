import AuthEngine
import TerminalUI

/// The top row: where one is, and what the program is set up for.
struct TitleView {
    let model: Model

    init(_ model: Model) { self.model = model }

    func draw(on surface: inout Surface, in frame: Frame) {
        let end = surface.writeLine("Keyturn  ", in: frame.title, style: .muted)
        let rest = frame.title.splitLeft(end - frame.title.minX).rest
        let after = surface.writeLine(title, in: rest, style: Style(.title, .bold))
        if let profile = model.profile {
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
        guard let protection = model.cacheProtection else { return }
        surface.writeLine(
            " \(protection.kind.words) ", in: rule.inset(horizontal: 1), alignment: .trailing, style: .muted)
    }

    private var title: String {
        if let (list, _) = model.inspectedExchange { return ExchangePurpose(list.exchange).title }
        if model.inspector != nil { return "Inspector" }
        return switch model.routes.last {
        case .signIn(let state): state.account.map { "Sign in as \($0.displayName)" } ?? "Sign in"
        case .signInForm: "Sign in with options"
        case .silent(let state): "Token for \(state.account.displayName)"
        case .claims(let state): state.acquisition.map { "Claims of \($0.account.displayName)" } ?? "Pasted token"
        case .failure: "Error"
        case .check: "Check"
        case .providers: "Set up"
        case .setUp(let state): state.title
        case .profiles: "Profiles"
        case .scenarios: "Scenarios"
        case nil: model.profile == nil ? "Start" : "Accounts"
        }
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
