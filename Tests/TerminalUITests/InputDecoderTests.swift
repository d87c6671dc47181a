import TerminalUI
import Testing

@Suite struct InputDecoderTests {
    @Test(
        "Bytes become keys",
        arguments: [
            ("letters", "ab", [.character("a"), .character("b")]), ("enter", "\r", [.enter]),
            ("line feed", "\n", [.enter]),
            ("tab", "\t", [.tab]), ("back tab", "\u{1B}[Z", [.backTab]),
            ("backspace", "\u{7F}\u{8}", [.backspace, .backspace]),
            ("control", "\u{3}\u{1A}\u{0}", [.control("c"), .control("z"), .control(" ")]),
            ("arrows", "\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("application arrows", "\u{1B}OA\u{1B}OB", [.up, .down]), ("arrow with Ctrl", "\u{1B}[1;5A", [.up]),
            ("home and end", "\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[8~", [.home, .end, .home, .end]),
            ("pages", "\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("delete", "\u{1B}[3~", [.delete]),
            (
                "F1 to F4", "\u{1B}OP\u{1B}OQ\u{1B}[13~\u{1B}[[D",
                [.function(1), .function(2), .function(3), .function(4)]
            ),
            (
                "F5 to F12", "\u{1B}[15~\u{1B}[17~\u{1B}[21~\u{1B}[24~",
                [.function(5), .function(6), .function(10), .function(12)]
            ),
            ("alt", "\u{1B}x\u{1B}é", [.alt("x"), .alt("é")]), ("escape, then enter", "\u{1B}\r", [.escape, .enter]),
            ("escape, then an arrow", "\u{1B}\u{1B}[A", [.escape, .up]),
            ("UTF-8", "é漢🔑", [.character("é"), .character("漢"), .character("🔑")]),
            ("unknown sequences are passed over", "\u{1B}[99~\u{1B}[?1;2c\u{1B}[I\u{1B}OxA", [.character("A")]),
            ("C1 control", "\u{9B}a", [.character("a")]),
        ] as [(String, String, [Key])])
    func keys(name: String, text: String, expected: [Key]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(text.utf8) == expected.map(InputEvent.key))
        #expect(!decoder.isWaiting)
    }

    @Test("The result does not depend on how the bytes are split")
    func byteByByte() {
        let text = "aé漢🔑\u{1B}[1;5A\u{1B}OP\u{1B}[200~x\r\u{1B}[A\u{1B}[20y\u{1B}[201~\u{1B}[24~z"
        var whole = InputDecoder()
        var pieces = InputDecoder()
        let expected = whole.feed(text.utf8)
        #expect(text.utf8.flatMap { pieces.feed([$0]) } == expected)
        #expect(expected.count == 9)
    }

    @Test(
        "An Escape with nothing after it is the key",
        arguments: [
            ([0x1B], [Key.escape]), ([0x1B, 0x5B], [.alt("[")]), ([0x1B, 0x5B, 0x31, 0x3B], []),
            // Half of é, two thirds of €, which are not keys after any byte.
            ([0x1B, 0xC3], []), ([0x1B, 0xE2, 0x82], []), ([0xC3], []),
        ])
    func flush(start: [UInt8], expected: [Key]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(start).isEmpty)
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == expected.map(InputEvent.key))
        #expect(!decoder.isWaiting)
        #expect(decoder.feed("a".utf8) == [.key(.character("a"))])
    }

    @Test("A paste is one event, with uniform line ends")
    func paste() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~one\rtwo\r\nthree\r\r\nfour".utf8).isEmpty)
        #expect(!decoder.isWaiting)
        #expect(decoder.feed("\u{1B}[201~q".utf8) == [.paste("one\ntwo\nthree\n\nfour"), .key(.character("q"))])
    }

    @Test("A paste without an end stops growing")
    func longPaste() {
        var decoder = InputDecoder()
        _ = decoder.feed("\u{1B}[200~".utf8)
        let block = [UInt8](repeating: 0x61, count: 1 << 16)
        for _ in 0..<20 { #expect(decoder.feed(block).isEmpty) }
        let events = decoder.feed("\u{1B}[201~".utf8)
        #expect(events == [.paste(String(repeating: "a", count: InputDecoder.longestPaste))])
    }

    @Test(
        "Bytes that are not UTF-8 are skipped",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        var decoder = InputDecoder()
        let events = decoder.feed(bytes + Array("a".utf8))
        #expect(events.last == .key(.character("a")))
        #expect(events.count == (bytes == [0xE2, 0x28] ? 2 : 1))
        #expect(!decoder.isWaiting)
    }
}
