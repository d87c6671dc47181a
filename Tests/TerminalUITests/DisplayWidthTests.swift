import Testing

@testable import TerminalUI

/// The widths were measured in tmux 3.3a, by its cursor position after each text.
@Suite struct DisplayWidthTests {
    @Test(
        "Text has the width that tmux gives it",
        arguments: [
            ("ascii", "token", 5), ("cjk", "漢字", 4), ("hangul", "한글", 4),
            ("hangul jamo", "\u{1112}\u{1161}\u{11AB}", 2),
            ("katakana", "アカ", 4), ("half-width katakana", "\u{FF71}\u{FF76}", 2),
            ("full-width", "\u{FF21}\u{FF22}", 4),
            ("half-width hangul", "\u{FFA1}", 1), ("ideographic space", "\u{3000}", 2), ("yijing", "\u{4DC0}", 2),
            ("extension b", "\u{20000}", 2), ("emoji", "\u{1F511}", 2), ("text heart", "\u{2764}", 1),
            ("heart with VS16", "\u{2764}\u{FE0F}", 1), ("gear with VS16", "\u{2699}\u{FE0F}", 1),
            ("watch", "\u{231A}", 2), ("keycap", "1\u{FE0F}\u{20E3}", 1), ("composed accent", "\u{E9}", 1),
            ("decomposed accent", "e\u{301}", 1), ("kana with voicing mark", "\u{304B}\u{3099}", 2),
            ("thai sara am", "\u{E19}\u{E33}", 2), ("devanagari conjunct", "\u{915}\u{94D}\u{937}", 2),
            ("box drawing", "┌─┐", 3), ("braille", "⠋", 1), ("ambiguous", "\u{A1}", 1), ("nothing", "", 0),
        ])
    func width(name: String, text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "Sequences that terminals draw differently count as the one character they are reduced to",
        arguments: [
            ("family", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2),
            ("thumb with skin tone", "\u{1F44D}\u{1F3FD}", 2),
            ("flag", "\u{1F1E9}\u{1F1EA}", 1), ("one regional indicator", "\u{1F1E9}", 1),
            ("rainbow flag", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", 1), ("skin tone alone", "\u{1F3FD}", 1),
        ])
    func reducedWidth(name: String, text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("No character is wider than two columns per scalar, and no width is negative")
    func everyScalar() {
        for value in UInt32(0)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let width = DisplayWidth.of(Character(scalar))
            #expect((0...2).contains(width), "U+\(String(value, radix: 16))")
        }
    }
}
