import TerminalUI
import Testing

@Suite struct TextFittingTests {
    @Test(
        "Truncation ends in an ellipsis and splits no character",
        arguments: [
            ("fits", "Alice", 5, "Alice"), ("too long", "Alice Example", 7, "Alice …"), ("one column", "Alice", 1, "…"),
            ("no column", "Alice", 0, ""), ("wide, even", "漢字漢字", 5, "漢字…"), ("wide, odd", "漢字漢字", 4, "漢…"),
            ("accent kept", "cafe\u{301} noir", 5, "cafe\u{301}…"),
        ])
    func truncate(name: String, text: String, width: Int, expected: String) {
        let shown = TextFitting.truncate(text, to: width)
        #expect(shown == expected)
        #expect(DisplayWidth.of(shown) <= width)
    }

    @Test(
        "Truncation in the middle keeps the end",
        arguments: [
            ("https://127.0.0.1:4593/api/oidc", 20, "https://12…/api/oidc"), ("short", 5, "short"),
            ("漢字漢字漢字", 7, "漢字…字"), ("long text", 2, "l…"),
        ])
    func truncateMiddle(text: String, width: Int, expected: String) {
        let shown = TextFitting.truncateMiddle(text, to: width)
        #expect(DisplayWidth.of(shown) <= width)
        #expect(shown == expected)
    }

    @Test("Padding fills exactly the width")
    func fit() {
        #expect(TextFitting.fit("漢", to: 5) == "漢   ")
        #expect(TextFitting.fit("漢", to: 5, alignment: .trailing) == "   漢")
        #expect(TextFitting.fit("too long", to: 4) == "too…")
    }

    @Test(
        "Wrapping breaks at spaces, and within words only when necessary",
        arguments: [
            ("fits", "one two", 10, ["one two"]), ("at a space", "one two three", 8, ["one two", "three"]),
            ("long word", "abcdefghij", 4, ["abcd", "efgh", "ij"]), ("wide", "漢字漢字", 5, ["漢字", "漢字"]),
            ("spaces kept where it fits", "a   b", 10, ["a   b"]), ("own lines", "a\n\nb", 5, ["a", "", "b"]),
            ("indent kept", "  one two", 6, ["  one", "  two"]),
            ("nothing", "", 5, [""]), ("no room", "abc", 0, []), ("too wide for a column", "漢字", 1, ["漢", "字"]),
        ])
    func wrap(name: String, text: String, width: Int, expected: [String]) {
        #expect(TextFitting.wrap(text, to: width) == expected)
    }
}
