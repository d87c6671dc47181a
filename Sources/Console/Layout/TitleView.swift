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
        if !frame.rule.isEmpty { surface.drawRule(at: frame.rule.origin, width: frame.rule.width) }
    }

    private var title: String {
        switch model.routes.last {
        case .signIn(let state): state.account.map { "Sign in as \($0.displayName)" } ?? "Sign in"
        case .silent(let state): "Token for \(state.account.displayName)"
        case .claims(let state): "Claims of \(state.acquisition.account.displayName)"
        case .failure: "Error"
        case nil: model.profile == nil ? "Start" : "Accounts"
        }
    }
}
