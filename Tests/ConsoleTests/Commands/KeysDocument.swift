import TerminalUI

@testable import Console

/// `docs/keys.md`, made from the screens' commands.
enum KeysDocument {
    static var markdown: String {
        ([heading, verbs, common] + KeyTable.all.compactMap(section)).joined(separator: "\n\n") + "\n"
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
        let rows = Verb.allCases.map { "| `\($0.label)` | `\($0)` | \($0.meaning) |" }
        return
            ([
                "## Letters", "",
                """
                A letter does the same on every screen that has it. In a question, `y` is yes and `n` is no. The name is for
                [your own keys](configuration.md#keys-of-the-terminal-program).
                """, "",
                "| Key | Name | Everywhere |", "|---|---|---|",
            ] + rows).joined(separator: "\n")
    }()

    /// What many screens repeat, once.
    private static let common: String =
        (["## On most screens", "", "Each screen, list or dialog has those of these keys that it can use.", ""]
        + table(shared)).joined(separator: "\n")

    private static let rows = KeyTable.all.map { $0.commands.map(row) }

    private static let shared: [String] = {
        let counts = rows.map(Set.init).reduce(into: [String: Int]()) { counts, rows in
            for row in rows { counts[row, default: 0] += 1 }
        }
        var found: Set<String> = []
        return rows.joined().filter { counts[$0, default: 0] > 4 && found.insert($0).inserted }
    }()

    private static func row(_ command: CommandInfo) -> String {
        "| \(command.keys.map { "`\(KeyLabel.text($0))`" }.joined(separator: " ")) | \(command.sentence) |"
    }

    private static func table(_ rows: [String]) -> [String] { ["| Key | Action |", "|---|---|"] + rows }

    private static func section(_ screen: KeyTable) -> String? {
        let own = screen.commands.map(row).filter { !shared.contains($0) }
        let typed =
            screen.title == AccountsScreen.Layer.filter.rawValue
            ? ["| any other | Add to the filter; `Backspace` deletes a character, `Ctrl-U` all. |"] : []
        guard !(own + typed).isEmpty else { return nil }
        return (["## \(screen.title)", ""] + table(own + typed)).joined(separator: "\n")
    }
}
