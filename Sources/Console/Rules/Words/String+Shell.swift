import KeyturnSystem
import TerminalUI

extension String {
    /// The text as one word of a shell, inside a command that is already in single quotes. Text that a terminal would obey is
    /// left out, because a paste runs it. An exclamation mark recalls an old command also in double quotes.
    package var quotedForShell: String {
        let word = Printable.sanitize(self)
        let isPlain = word.utf8.allSatisfy { byte in
            byte > 0x7F || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || "-_./:@%+=,".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        guard !word.contains("!") else { return ShellWords.quoted(word) }
        return "\"\(word.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined())\""
    }
}
