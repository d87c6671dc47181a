/// `docs/keys.md`, made from the screens' commands.
package enum KeysDocument {
    package static var markdown: String {
        ([heading] + KeyTable.all.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let heading = """
        # Keys

        Every key of the terminal program, by the screen it works on. The table that dispatches the keys writes this file;
        a test compares the two. In the program, `?` shows the keys of the screen you are on.
        """

    private static func section(_ table: KeyTable) -> String {
        let rows = table.commands.map { command in
            "| \(command.keys.map { "`\(KeyLabel.text($0))`" }.joined(separator: " ")) | \(command.sentence) |"
        }
        let typed =
            table.title == AccountsScreen.Layer.filter.rawValue
            ? ["| any other | Is added to the filter; `Backspace` takes it away, `Ctrl-U` all. |"] : []
        return (["## \(table.title)", "", "| Key | What it does |", "|---|---|"] + rows + typed).joined(separator: "\n")
    }
}
