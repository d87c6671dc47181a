/// An editable line of text: the parts before and after the cursor. Input is sanitized, so that the text can be shown
/// and stored. The cursor is never inside a grapheme cluster.
package struct TextField: Sendable, Hashable {
    /// The maximum length in bytes, longer than any address or token.
    package static let mostBytes = 1 << 16

    private var before = ""
    private var after = ""

    package init(_ text: String = "") { insert(text) }

    package var text: String { before + after }
    package var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Inserts text at the cursor, without a trailing line end. Returns false for a text that is too long.
    @discardableResult package mutating func insert(_ text: String) -> Bool {
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard before.utf8.count + line.utf8.count + after.utf8.count <= Self.mostBytes else { return false }
        // The common case. ASCII doesn't combine with other characters, so the text needs no second look.
        guard !line.utf8.allSatisfy(Glyph.isPrintableASCII) || !standsAlone else {
            before += line
            return true
        }
        // A typed combining mark joins the letter before it.
        before = Printable.sanitize(before + line)
        let joined = before + after
        guard joined.count < before.count + after.count else { return true }
        let split = joined.index(joined.startIndex, offsetBy: before.count)
        (before, after) = (String(joined[..<split]), String(joined[split...]))
        return true
    }

    /// Whether the characters beside the cursor are ASCII, which doesn't combine with inserted ASCII.
    private var standsAlone: Bool { [before.utf8.last, after.utf8.first].allSatisfy { $0.map { $0 < 0x80 } ?? true } }

    /// Handles a key by the conventions of readline(3). Returns `false` for a key that a field doesn't use.
    package mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .left, .control("b"): moveLeft(by: 1)
        case .right, .control("f"): moveRight(by: 1)
        case .home, .control("a"): moveLeft(by: before.count)
        case .end, .control("e"): moveRight(by: after.count)
        case .alt("b"), .alt(.left): moveLeft(by: wordBefore)
        case .alt("f"), .alt(.right): moveRight(by: wordAfter)
        case .backspace: before = String(before.dropLast())
        case .delete, .control("d"): after = String(after.dropFirst())
        case .alt("d"), .alt(.delete): after = String(after.dropFirst(wordAfter))
        case .control("w"), .alt(.backspace): before = String(before.dropLast(wordBefore))
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

    /// The number of characters back to the start of a word. Punctuation ends a word, which suits addresses.
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

    package var masked: TextField {
        var field = self
        (field.before, field.after) = (String(before.map { _ in "*" }), String(after.map { _ in "*" }))
        return field
    }

    /// Draws the field in the whole row. Long text is shown around the cursor, with ellipses for the omitted parts.
    package func draw(on surface: inout Surface, in rect: Rect, placeholder: String = "", hasFocus: Bool = true) {
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
        surface.writeLine(String(shown.after), in: row.splitLeft(cursor - row.minX).rest, style: style)
        if hasFocus { surface.cursor = Surface.Cursor(Point(x: min(cursor, row.maxX - 1), y: row.minY)) }
    }

    /// The visible parts. Up to a third of the row shows text after the cursor; one column is for the cursor.
    private func shown(in width: Int, ellipsis: String) -> (before: String, after: Substring) {
        let after = after.prefix(width + 1)
        let behind = min(max(1, DisplayWidth.of(after)), max(1, width / 3))
        if Self.prefixIndex(of: before, within: width - behind) == before.startIndex { return (before, after) }
        let mark = width > 8 ? ellipsis : ""
        let start = Self.prefixIndex(of: before, within: width - behind - DisplayWidth.of(mark))
        return (mark + before[start...], after)
    }

    private static func prefixIndex(of text: String, within columns: Int) -> String.Index {
        var start = text.endIndex
        var room = columns
        while start > text.startIndex {
            let previous = text.index(before: start)
            room -= DisplayWidth.of(text[previous])
            if room < 0 { break }
            start = previous
        }
        return start
    }
}
