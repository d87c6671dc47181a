import Console

/// The screen's part of the choices.
extension SavedChoicesFile {
    fileprivate static let mostScopes = 12

    /// The choices of a profile, or the defaults. `trouble` is the reason if the file is unreadable.
    func read(_ profile: String) -> (savedChoices: SavedChoices, trouble: String?) {
        do {
            return (SavedChoices(try choices(of: profile)), nil)
        } catch {
            return (SavedChoices(), "Can't read your settings. They are reset: \(path).")
        }
    }

    /// Replaces the screen's choices of the profile, and a damaged file.
    func save(_ choices: SavedChoices, of profile: String) throws {
        try change(profile) {
            $0.scopes = choices.scopes
            $0.order = choices.order.rawValue
        }
    }
}

extension SavedChoices {
    /// The valid choices, as the user can edit the file.
    fileprivate init(_ choices: SavedChoicesFile.Choices) {
        let scopes = (choices.scopes ?? []).filter { $0.utf8.count <= 256 && $0.isScope }
        self.init(
            scopes: Array(scopes.prefix(SavedChoicesFile.mostScopes)),
            order: choices.order.flatMap(AccountOrder.init) ?? .place, account: choices.account)
    }
}
