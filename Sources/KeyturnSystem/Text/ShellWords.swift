/// Quotes of a shell in a list of commands: `'…'`, `"…"` and `\` (POSIX XCU §2.2). A quote without its end stands for itself.
package enum ShellWords {
    /// The text between separators that aren't quoted, still with its quotes.
    package static func pieces(of text: String, at separator: Character) -> [String] {
        var pieces = [""]
        for mark in marks(text) {
            if mark.character == separator, !mark.isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1] += mark.source
            }
        }
        return pieces
    }

    package static func split(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        for mark in marks(command) {
            if mark.character == " ", !mark.isQuoted {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + (mark.character.map(String.init) ?? "")
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// A word as a shell reads it, whatever it contains.
    package static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A character with what stands for it, or a quote that stands for none.
    private struct Mark {
        var character: Character?
        var source: String
        var isQuoted: Bool
    }

    private static func marks(_ text: String) -> [Mark] {
        var marks: [Mark] = []
        var rest = text[...]
        var quote: Character?
        while let character = rest.popFirst() {
            if character == quote || quote == nil && "'\"".contains(character) && rest.contains(character) {
                quote = quote == nil ? character : nil
                marks.append(Mark(character: nil, source: String(character), isQuoted: true))
            } else if character == "\\", quote != "'", let next = rest.first, " :'\"\\".contains(next) {
                rest.removeFirst()
                marks.append(Mark(character: next, source: "\\\(next)", isQuoted: true))
            } else {
                marks.append(Mark(character: character, source: String(character), isQuoted: quote != nil))
            }
        }
        return marks
    }
}
