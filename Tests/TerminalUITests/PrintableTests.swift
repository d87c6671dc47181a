import Testing

@testable import TerminalUI

@Suite struct PrintableTests {
    @Test(
        "Harmful or misleading characters are removed",
        arguments: [
            ("plain text", "Sign in", "Sign in"),
            ("line feed", "a\nb", "a b"), ("carriage return and line feed", "a\r\nb", "a b"), ("tab", "a\tb", "a b"),
            ("next line", "a\u{85}b", "a b"), ("line separator", "a\u{2028}b\u{2029}c", "a b c"),
            ("escape sequence", "\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
            ("title sequence", "\u{1B}]0;owned\u{07}", "]0;owned"), ("C1 control", "a\u{9B}31mb", "a31mb"),
            ("delete and null", "a\u{7F}\u{0}b", "ab"),
            ("bidi override", "user\u{202E}gpj.exe", "usergpj.exe"), ("bidi isolate", "\u{2066}a\u{2069}", "a"),
            ("bidi marks", "a\u{200E}\u{200F}\u{61C}b", "ab"), ("zero-width space", "pay\u{200B}pal", "paypal"),
            ("byte order mark", "\u{FEFF}a", "a"), ("soft hyphen", "a\u{AD}b", "ab"),
            ("word joiner", "a\u{2060}b", "ab"),
            ("tag characters", "a\u{E0041}\u{E0042}b", "ab"), ("hangul filler", "a\u{3164}b", "ab"),
            ("no-break space", "a\u{A0}b", "a b"), ("ideographic space stays", "a\u{3000}b", "a\u{3000}b"),
            ("private use", "a\u{E000}b", "a\u{FFFD}b"), ("noncharacter", "a\u{FFFE}b", "a\u{FFFD}b"),
            ("unassigned", "a\u{378}b", "a\u{FFFD}b"), ("after Unicode 14", "\u{1FADC}", "\u{FFFD}"),
            ("VS16", "\u{2764}\u{FE0F}", "\u{2764}"), ("keycap", "1\u{FE0F}\u{20E3}", "1\u{20E3}"),
            ("family", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F468}"),
            ("skin tone", "\u{1F44D}\u{1F3FD}", "\u{1F44D}"), ("flag", "\u{1F1E9}\u{1F1EA}", "\u{2691}"),
            ("joiner between letters", "a\u{200D}b", "ab"),
            ("mark with no base", "\u{301}a", "\u{25CC}\u{301}a"), ("decomposed accent", "e\u{301}", "e\u{301}"),
            ("a pile of marks", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}"),
            ("hangul vowel with no consonant", "a\u{1161}", "a\u{FFFD}"),
            ("hangul final after that", "\u{1161}\u{11A8}", "\u{FFFD}"),
            ("hangul jamo", "\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}"),
        ])
    func sanitized(name: String, text: String, expected: String) {
        #expect(Array(Printable.sanitize(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "A value never looks like several columns of a table",
        arguments: [
            ("ann   tenant   https://evil", "ann tenant https://evil"), ("  ann  ", "ann"), ("a\t\t\nb", "a b"),
            ("a\u{A0}\u{2003}\u{3000}b", "a b"), ("a\u{1B}[5Cb", "a[5Cb"), ("a b", "a b"), ("   ", ""), ("", ""),
            ("ann ", "ann"), (" ann", "ann"),
        ])
    func cell(text: String, expected: String) {
        #expect(Printable.cell(text) == expected)
    }

    @Test("Sanitising twice changes nothing more")
    func idempotent() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = Printable.sanitize(String(scalar))
            #expect(Array(Printable.sanitize(once).unicodeScalars) == Array(once.unicodeScalars))
        }
    }

    @Test("No control or format character remains")
    func nothingInvisible() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Printable.sanitize(String(scalar)).unicodeScalars
            let hidden = shown.contains {
                $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                    || $0.properties.isDefaultIgnorableCodePoint
            }
            #expect(!hidden, "U+\(String(value, radix: 16))")
        }
    }
}
