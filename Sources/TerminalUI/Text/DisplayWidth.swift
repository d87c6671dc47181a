/// The number of columns that text takes on a terminal. Follows East Asian Width (UAX #11, ambiguous as narrow), like
/// the C library's `wcwidth`, ncurses and tmux, so that layouts line up on the terminal.
package enum DisplayWidth {
    /// The columns of `text` once sanitized.
    package static func of(_ text: some StringProtocol) -> Int {
        text.utf8.allSatisfy(Glyph.isPrintableASCII) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a grapheme cluster. Spacing marks, as in Devanagari or Thai, count one column each.
    package static func of(_ character: Character) -> Int {
        if let byte = character.asciiValue, Glyph.isPrintableASCII(byte) { return 1 }
        return Printable.glyphs(of: character).reduce(0) { $0 + $1.width }
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        scalar.value < 0x300 ? 1 : isZeroWidth(scalar) ? 0 : isWide(scalar) ? 2 : 1
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: true  // Hangul vowels and finals join the leading consonant.
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: true
            default: false
            }
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x1100
            && (wideRanges.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation)
    }

    /// East Asian Width `W` and `F`, without the emoji, which Unicode lists under `Emoji_Presentation`.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
