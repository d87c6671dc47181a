import TerminalUI

extension Model {
    mutating func take(_ event: InputEvent) -> [Effect] {
        switch event {
        case .key(let key):
            return press(key)
        case .resize(let size):
            self.size = size
            return []
        case .paste(let text):
            return paste(text)
        case .mouse(let event):
            return take(event)
        case .interrupt:
            return press(.control("c"))
        case .terminate:
            return finish()
        }
    }

    mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        if let command = Commands.command(for: key, on: focus) {
            switch command.availability(self) {
            case .available:
                return perform(command.id)
            case .unavailable(let reason):
                notice = Notice(.quiet, reason)
                return []
            }
        }
        if focus == .palette, typeInPalette(key) { return [] }
        if focus == .filter, type(key) { return [] }
        if focus == .pasteEntry, typePasted(key) { return [] }
        if case .pasteToken(var field) = overlay, field.press(key) {
            overlay = .pasteToken(field)
            return []
        }
        if focus == .setUp, let effects = typeInForm(key) { return effects }
        if focus == .signInField, typeInSignInForm(key) { return [] }
        notice = Notice(.quiet, Self.unknownKey(key, on: focus, ascii: options.ascii))
        return []
    }

    /// A browser's answer is delivered as it is: whether it is one is not judged here.
    private mutating func paste(_ text: String) -> [Effect] {
        switch (focus, routes.last) {
        case (.filter, _):
            accounts.setFilter(accounts.filter + Printable.sanitize(text))
            return []
        case (.palette, _):
            pasteIntoPalette(text)
            return []
        case (.tokenEntry, _):
            read(token: text)
            return []
        case (.signInField, _):
            pasteIntoSignInForm(text)
            return []
        case (.signIn, .signIn(var state)) where state.takesPastes, (.pasteEntry, .signIn(var state)):
            notice = nil
            let whole = (state.pasted ?? "") + text
            state.pasted = nil
            replaceTop(.signIn(state))
            return [.deliver(state.id, whole)]
        case (.setUp, _):
            return pasteInForm(text)
        default: return []
        }
    }

    /// A key that edits the address. False: it does not.
    private mutating func typePasted(_ key: Key) -> Bool {
        guard case .signIn(var state) = routes.last, let text = state.pasted else { return false }
        switch key {
        case .character(let character): state.pasted = text + Printable.sanitize(String(character))
        case .backspace: state.pasted = String(text.dropLast())
        case .control("u"): state.pasted = ""
        default: return false
        }
        replaceTop(.signIn(state))
        return true
    }

    /// A key that edits the filter. False: it does not.
    private mutating func type(_ key: Key) -> Bool {
        switch key {
        case .character(let character):
            accounts.setFilter(accounts.filter + Printable.sanitize(String(character)))
        case .backspace:
            accounts.setFilter(String(accounts.filter.dropLast()))
        case .control("u"):
            accounts.setFilter("")
        default:
            return false
        }
        return true
    }

    private static func unknownKey(_ key: Key, on focus: Focus, ascii: Bool) -> String {
        let way = Commands.command(.help, on: focus).map { " \(KeyLabel.text($0.keys, ascii: ascii)) shows the keys." }
        return "\(KeyLabel.text(key, ascii: ascii)) does nothing here.\(way ?? "")"
    }

    /// Ends the program; what runs is cancelled.
    mutating func finish() -> [Effect] {
        isFinished = true
        return runningEffects.map(Effect.cancel)
    }

    /// All that has been started and has not answered, except removals: half a removal helps nobody.
    private var runningEffects: [EffectID] {
        var ids = routes.compactMap(\.runningEffect) + routes.compactMap(\.asking)
        if case .reading(let id) = accounts.phase { ids.append(id) }
        return ids
    }
}
