import TerminalUI

/// The command palette: typing, choosing, doing.
extension Model {
    mutating func performOnPalette(_ command: CommandID) -> [Effect] {
        guard command == .runCommand else {
            overlay = .palette(PaletteState())
            return []
        }
        guard case .palette(let state) = overlay else { return [] }
        guard let chosen = state.selected(on: screenFocus) else {
            notice = Notice(.quiet, "Nothing here does that.")
            return []
        }
        if case .unavailable(let reason) = chosen.availability(self) {
            notice = Notice(.quiet, reason)
            return []
        }
        overlay = nil
        return perform(chosen.id)
    }

    /// A key that edits the query. False: it does not.
    mutating func typeInPalette(_ key: Key) -> Bool {
        guard case .palette(var state) = overlay, state.press(key) else { return false }
        overlay = .palette(state)
        return true
    }

    mutating func pasteIntoPalette(_ text: String) {
        guard case .palette(var state) = overlay else { return }
        state.insert(text)
        overlay = .palette(state)
    }
}
