/// One line of text that a person edits: what stands before the cursor and what after it.
///
/// Whatever comes in is made printable, so the text of a field can be shown and stored as it is. The cursor never stands
/// within a grapheme cluster.
package struct TextField: Sendable, Hashable {
    private var before = ""
    private var after = ""

    /// The cursor stands at the end, where most people go on typing.
    package init(_ text: String = "") { insert(text) }

    package var text: String { before + after }
    package var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Puts typed or pasted text at the cursor. A paste that ends with a line end means the same without it.
    package mutating func insert(_ text: String) {
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        // Together with what stands there: a mark that is typed joins the letter before it.
        before = Printable.sanitize(before + line)
        let joined = before + after
        guard joined.count < before.count + after.count else { return }
        let split = joined.index(joined.startIndex, offsetBy: before.count)
        (before, after) = (String(joined[..<split]), String(joined[split...]))
    }

    /// Edits or moves as the key says, by the conventions of readline(3). False: the key means nothing to a field.
    package mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .left, .control("b"): moveLeft(by: 1)
        case .right, .control("f"): moveRight(by: 1)
        case .home, .control("a"): moveLeft(by: before.count)
        case .end, .control("e"): moveRight(by: after.count)
        case .alt("b"): moveLeft(by: wordBefore)
        case .alt("f"): moveRight(by: wordAfter)
        case .backspace: before = String(before.dropLast())
        case .delete, .control("d"): after = String(after.dropFirst())
        case .control("w"): before = String(before.dropLast(wordBefore))
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .enter, .escape, .tab, .backTab, .up, .down, .pageUp, .pageDown, .function, .control, .alt: return false
        }
        return true
    }

    private mutating func moveLeft(by count: Int) {
        after = String(before.suffix(count)) + after
        before = String(before.dropLast(count))
    }

    private mutating func moveRight(by count: Int) {
        before += String(after.prefix(count))
        after = String(after.dropFirst(count))
    }

    /// The characters back to the start of a word. Addresses are what is edited here, so punctuation ends a word.
    private var wordBefore: Int { Self.word(before.reversed()) }
    private var wordAfter: Int { Self.word(after) }

    private static func word(_ characters: some Sequence<Character>) -> Int {
        var seenWord = false
        var count = 0
        for character in characters {
            let isWord = character.isLetter || character.isNumber
            if seenWord, !isWord { break }
            seenWord = seenWord || isWord
            count += 1
        }
        return count
    }

    /// Draws the field over the whole row and, when keys go to it, puts the terminal's cursor where the next character
    /// will stand. Text that is too long is shown around the cursor, with an ellipsis where something is left out.
    package func draw(
        on surface: inout Surface, in rect: Rect, placeholder: String = "", hasFocus: Bool = true
    ) {
        let row = rect.row(0)
        guard !row.isEmpty else { return }
        surface.fill(row, style: Style(.text, .underline))
        guard !isEmpty else {
            surface.writeLine(placeholder, in: row, style: Style(.muted, .underline))
            if hasFocus { surface.cursor = Surface.Cursor(row.origin) }
            return
        }
        let shown = shown(in: row.width, ellipsis: surface.glyphs.ellipsis)
        let style = Style(.text, .underline)
        let cursor = surface.write(shown.before, at: row.origin, in: row, style: style)
        let rest = row.splitLeft(cursor - row.minX).rest
        surface.writeLine(shown.after, in: rest, style: style)
        if hasFocus { surface.cursor = Surface.Cursor(Point(x: min(cursor, row.maxX - 1), y: row.minY)) }
    }

    /// What fits: a third of the row stays free behind the cursor while there is text to show there, and one column for
    /// the cursor itself.
    private func shown(in width: Int, ellipsis: String) -> (before: String, after: String) {
        let behind = min(max(1, DisplayWidth.of(after)), max(1, width / 3))
        guard DisplayWidth.of(before) + behind > width else { return (before, after) }
        let mark = width > 8 ? ellipsis : ""
        let room = width - behind - DisplayWidth.of(mark)
        var kept = before[...]
        while DisplayWidth.of(kept) > room { kept = kept.dropFirst() }
        return (mark + kept, after)
    }
}
