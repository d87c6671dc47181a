/// `docs/keys.md`, made from the screens' commands.
package enum KeysDocument {
    package static var markdown: String {
        ([heading] + KeyTable.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let heading = """
        # Keys

        The keys of the terminal program, by screen. This file is generated from the key table; a test compares them. In the
        program, `?` shows the keys of the current screen.
        """

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
