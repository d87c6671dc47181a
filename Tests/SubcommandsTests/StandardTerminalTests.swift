import Testing

@testable import Subcommands

@Suite("Lines of the input")
struct StandardTerminalTests {
    @Test(
        "Each line end separates lines, also that of two characters, and the last line goes on",
        arguments: [
            ("a\nb\n", ["a", "b", ""]), ("a\r\nb\r\n", ["a", "b", ""]), ("a\r\n\r\nb", ["a", "", "b"]),
            ("a\r", ["a\r"]),
            ("", [""]),
        ])
    func lines(text: String, lines: [String]) {
        #expect(StandardTerminal.lines(of: text) == lines)
    }
}
