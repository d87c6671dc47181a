import Testing

@testable import Console

@Suite("Copied texts") struct CopiedTextTests {
    @Test(
        "Have nothing that a terminal obeys; a word of a command stays one word",
        arguments: [
            ("ann@x\u{3}\u{1B}[201~\n!!", "'ann@x[201~ !!'"), ("a\u{202E}b\u{9B}c", "abc"), ("a b", "\"a b\""),
            ("", "\"\""), ("it's!", #"'it'\''s!'"#),
        ])
    func words(_ text: String, _ word: String) {
        #expect(text.quotedForShell == word)
        let copied = CopiedText("it", fileName: "it.txt", "one\n\(text)")
        #expect(copied.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A })
    }
}
