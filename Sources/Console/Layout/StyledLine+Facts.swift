import TerminalUI

extension StyledLine {
    /// Names and values below each other; entries without a value are left out.
    static func facts(_ entries: [(name: String, value: String?)], width: Int, glyphs: Glyphs) -> [StyledLine] {
        let given = entries.compactMap { entry in
            entry.value.flatMap { $0.isEmpty ? nil : KeyValueBlock.Entry(entry.name, $0) }
        }
        return KeyValueBlock(given).lines(width: width, glyphs: glyphs)
    }
}
