import TerminalUI

/// All that can be done on a screen, found by typing a part of what it does.
package struct PaletteState: Sendable, Equatable {
    package private(set) var query = TextField()
    package private(set) var selection = 0

    package init() {}

    /// What the screen beneath can do and the query lets through, in the order of the table. Moving needs no list.
    package func entries(on focus: Focus) -> [Command] {
        let words = query.text.lowercased().split(separator: " ")
        return Commands.on(focus).filter { command in
            guard command.group != .moving, command.id != .palette else { return false }
            let text = "\(command.sentence) \(command.hint ?? "") \(KeyLabel.text(command.keys, ascii: true))"
                .lowercased()
            return words.allSatisfy(text.contains)
        }
    }

    package func selected(on focus: Focus) -> Command? {
        let entries = entries(on: focus)
        return entries.indices.contains(selection) ? entries[selection] : nil
    }

    mutating func select(row: Int, on focus: Focus) {
        selection = max(0, min(row, entries(on: focus).count - 1))
    }

    /// A key that edits the query. False: it does not.
    mutating func press(_ key: Key) -> Bool {
        guard query.press(key) else { return false }
        selection = 0
        return true
    }

    mutating func insert(_ text: String) {
        query.insert(text)
        selection = 0
    }
}
