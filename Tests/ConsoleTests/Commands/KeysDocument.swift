import TerminalUI

@testable import Console

/// `docs/keys.md`, made from the screens' commands.
enum KeysDocument {
    static var markdown: String {
        ([heading, verbs] + KeyTable.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let heading = """
        # Keys

        The keys of every screen of the terminal program. In the program, `?` or `F1` shows those of the current screen. In
        the set-up form, use `F1`, because `?` is typed into the field. Dialogs and other text fields show theirs in the
        last line. A letter of a Cyrillic or Greek layout counts as the key at its place. On every screen, `Ctrl-L` draws the
        screen again, and `Ctrl-Z` suspends the program.

        This page is generated from the command table. A test compares the two.
        """

    private static let verbs: String = {
        let rows = Verb.allCases.map { "| `\($0.label)` | \($0.meaning) |" }
        return
            ([
                "## Letters", "",
                "A letter does the same on every screen that has it. In a question, `y` is yes and `n` is no.", "",
                "| Key | Everywhere |", "|---|---|",
            ] + rows).joined(separator: "\n")
    }()

    private static func section(_ table: KeyTable) -> String {
        let rows = table.commands.map { command in
            "| \(command.keys.map { "`\(KeyLabel.text($0))`" }.joined(separator: " ")) | \(command.sentence) |"
        }
        let typed =
            table.title == AccountsScreen.Layer.filter.rawValue
            ? ["| any other | Add to the filter; `Backspace` deletes a character, `Ctrl-U` all. |"] : []
        return (["## \(table.title)", "", "| Key | Action |", "|---|---|"] + rows + typed).joined(separator: "\n")
    }
}
