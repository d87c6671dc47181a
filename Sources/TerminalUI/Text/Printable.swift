/// Makes untrusted text safe on a terminal, with a known width. Drops control characters (C0, C1, DEL), bidirectional
/// controls and other invisible characters. Line ends and tabs become spaces. Joined emoji and flags, which terminals
/// render differently, become one plain character. Characters unknown to the C library become `�`.
package enum Printable {
    package static func sanitize(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(Glyph.isPrintableASCII) { return String(text) }
        return text.reduce(into: "") { line, character in
            for glyph in glyphs(of: character) { line += glyph.text }
        }
    }

    /// `text` as a table cell: safe to print, with white space collapsed, so that it can't look like several columns.
    package static func cell(_ text: some StringProtocol) -> String {
        // Fast path: most cells need no change.
        let space = UInt8(ascii: " ")
        var last = space
        let isCell = text.utf8.allSatisfy { byte in
            defer { last = byte }
            return Glyph.isPrintableASCII(byte) && !(byte == space && last == space)
        }
        if isCell && last != space { return String(text) }
        return sanitize(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The glyphs of a grapheme cluster: none, one, or several if it has spacing marks.
    package static func glyphs(of character: Character) -> [Glyph] {
        if let glyph = character.asciiValue.flatMap(Glyph.ascii) { return [glyph] }
        if character.isNewline { return [.space] }
        return assemble(reduce(Array(character.unicodeScalars)))
    }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"
    private static let flag: Unicode.Scalar = "\u{2691}"
    private static let dottedCircle: Unicode.Scalar = "\u{25CC}"
    private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

    /// The most combining marks in a cell, as in ncurses (`CCHARW_MAX` is 5).
    private static let mostMarks = 4

    /// Reduces emoji sequences to their first emoji and makes each scalar safe.
    private static func reduce(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard let first = scalars.first else { return [] }
        if isRegionalIndicator(first) { return [flag] }
        if first.value > 0x7F, first.properties.isEmoji {
            let picture = scalars.prefix { $0 != zeroWidthJoiner }.filter { !$0.properties.isEmojiModifier }
            return (picture.isEmpty ? [replacement] : picture).compactMap(safe)
        }
        return scalars.compactMap(safe)
    }

    /// Groups scalars into glyphs: a spacing scalar starts a glyph, a combining one joins the previous glyph.
    private static func assemble(_ scalars: [Unicode.Scalar]) -> [Glyph] {
        var glyphs: [Glyph] = []
        var marks = 0
        for scalar in scalars {
            let width = DisplayWidth.of(scalar)
            if width > 0 {
                glyphs.append(Glyph(text: String(scalar), width: width))
                marks = 0
            } else if let base = glyphs.last {
                // The placeholder of a Hangul vowel without its consonant takes no final either.
                guard marks < mostMarks, !(isLetter(scalar) && base.text.unicodeScalars.first == replacement) else {
                    continue
                }
                glyphs[glyphs.count - 1] = Glyph(text: base.text + String(scalar), width: base.width)
                marks += 1
            } else {
                // It gets a placeholder, or else it would change the neighbouring cell. A Hangul vowel or final joins
                // only a consonant.
                let text = isLetter(scalar) ? String(replacement) : String(dottedCircle) + String(scalar)
                glyphs.append(Glyph(text: text, width: 1))
                marks = 1
            }
        }
        return glyphs
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .otherLetter }

    /// The scalar itself, its replacement, or nil if it's invisible.
    private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20..<0x7F, 0x3000: return scalar
        case 0x09...0x0D, 0x85: return " "
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .surrogate: return nil
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: return " "
        case .unassigned, .privateUse: return properties.isDefaultIgnorableCodePoint ? nil : replacement
        default: break
        }
        if properties.isDefaultIgnorableCodePoint { return nil }
        if properties.isEmojiModifier || isRegionalIndicator(scalar) { return replacement }
        // Debian 12's C library implements Unicode 14 and gives later characters no width.
        return properties.age.map { $0.major <= 14 } == true ? scalar : replacement
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
}

/// The content of one cell, or of two for a wide character: a base character with its combining marks. Only
/// ``Printable`` creates glyphs, so every cell is safe to send to a terminal.
package struct Glyph: Sendable, Hashable {
    package let text: String
    /// The width in columns: 1, 2, or 0 for the second half of a wide glyph.
    package let width: Int

    package static let space = Glyph(text: " ", width: 1)
    package static let continuation = Glyph(text: "", width: 0)

    static func ascii(_ byte: UInt8) -> Glyph? { isPrintableASCII(byte) ? printableASCII[Int(byte) - 0x20] : nil }

    static func isPrintableASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static let printableASCII = (UInt8(0x20)..<0x7F).map { Glyph(text: String(Unicode.Scalar($0)), width: 1) }
}
