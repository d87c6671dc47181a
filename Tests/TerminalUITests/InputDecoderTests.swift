import TerminalUI
import Testing

@Suite struct InputDecoderTests {
    @Test(
        "A terminal's answer about its background is read, however it comes, and no part of it is a key",
        arguments: [
            ("rgb:fdfd/f6f6/e3e3\u{1B}\\", TerminalBackground.light), ("rgb:ff/ff/ff\u{7}", .light),
            ("rgba:0000/2b2b/3636/ffff\u{7}", .dark), ("rgb:0/0/0\u{1B}\\", .dark), ("rgb:80/80/80\u{7}", nil),
            ("rgb:fdfd/f6f6\u{7}", nil), ("rgb:-1/ff/ff\u{7}", nil), ("rgb:fffff/ff/ff\u{7}", nil), ("red\u{7}", nil),
        ] as [(String, TerminalBackground?)])
    func background(answer: String, expected: TerminalBackground?) {
        let bytes = Array("\u{1B}]11;\(answer)\u{1B}[?62;4c".utf8)
        for split in bytes.indices {
            var decoder = InputDecoder()
            #expect(decoder.feed(bytes[..<split]) + decoder.feed(bytes[split...]) == [])
            #expect(decoder.background == expected && decoder.hasResponded)
        }
        // The color of something else.
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}]10;\(answer)".utf8) == [] && decoder.background == nil && !decoder.hasResponded)
    }

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
            ("alt", "\u{1B}x\u{1B}é", [.alt("x"), .alt("é")]),
            (
                "alt with keys that aren't characters", "\u{1B}\r\u{1B}\t\u{1B}\u{7F}\u{1B}\u{8}",
                [.alt(.enter), .alt(.tab), .alt(.backspace), .alt(.backspace)]
            ),
            ("alt with Ctrl-C is Ctrl-C", "\u{1B}\u{3}", [.control("c")]),
            ("escape, then an arrow", "\u{1B}\u{1B}[A", [.escape, .up]),
            (
                "alt with arrows that move by words", "\u{1B}[1;3D\u{1B}[1;3C\u{1B}[3;3~",
                [.alt(.left), .alt(.right), .alt(.delete)]
            ),
            ("alt with other arrows", "\u{1B}[1;3A\u{1B}[5;3~", [.up, .pageUp]),
            ("UTF-8", "é漢🔑", [.character("é"), .character("漢"), .character("🔑")]),
            (
                "keypad", "\u{1B}Op\u{1B}Oy\u{1B}Oj\u{1B}Ok\u{1B}Om\u{1B}On\u{1B}Oo\u{1B}OX\u{1B}OM",
                ["0", "9", "*", "+", "-", ".", "/", "=", .enter]
            ),
            (
                "rxvt with Ctrl and Shift", "\u{1B}[a\u{1B}Ob\u{1B}[5^\u{1B}[7$\u{1B}[6@",
                [.up, .down, .pageUp, .home, .pageDown]
            ),
            ("old modifiers", "\u{1B}O5A\u{1B}O2P", [.up, .function(1)]),
            (
                "kitty: Ctrl", "\u{1B}[99;5u\u{1B}[122;5u\u{1B}[99;6u\u{1B}[105;5u\u{1B}[91;5u\u{1B}[32;5u",
                [.control("c"), .control("z"), .control("c"), .tab, .escape, .control(" ")]
            ),
            (
                "kitty: Ctrl on other layouts", "\u{1B}[1089::99;5u\u{1B}[1089;5u\u{1B}[968;5u",
                [.control("c"), .control("c"), .control("c")]
            ),
            (
                "kitty: named keys",
                "\u{1B}[13u\u{1B}[13;2u\u{1B}[9u\u{1B}[9;2u\u{1B}[27u\u{1B}[127u\u{1B}[127;3u\u{1B}[13;3u",
                [.enter, .enter, .tab, .backTab, .escape, .backspace, .alt(.backspace), .alt(.enter)]
            ),
            (
                "kitty: characters", "\u{1B}[97u\u{1B}[97;2u\u{1B}[49:33;2u\u{1B}[97;65u\u{1B}[233u\u{1B}[97;2;65u",
                ["a", "A", "!", "A", "é", "A"]
            ),
            ("kitty: alt", "\u{1B}[116;3u\u{1B}[1077::116;3u\u{1B}[116;33u", [.alt("t"), .alt("t"), .alt("t")]),
            (
                "kitty: releases and the desktop's keys",
                "\u{1B}[97;1:3u\u{1B}[97;9u\u{1B}[1;1:3A\u{1B}[57441;2u\u{1B}[97;1:2u", ["a"]
            ),
            (
                "kitty: keypad", "\u{1B}[57399u\u{1B}[57408u\u{1B}[57414u\u{1B}[57417u\u{1B}[57426u",
                ["0", "9", .enter, .left, .delete]
            ),
            (
                "modifyOtherKeys", "\u{1B}[27;5;99~\u{1B}[27;3;127~\u{1B}[27;2;33~\u{1B}[27;2;13~",
                [.control("c"), .alt(.backspace), "!", .enter]
            ),
            (
                "unknown sequences are passed over",
                "\u{1B}[99~\u{1B}[?1;2c\u{1B}[I\u{1B}[O\u{1B}Oz\u{1B}[?1u\u{1B}[>0;276;0c\u{1B}[12;40$y\u{1B}[?2026;2$y\u{1B}[2~A",
                ["A"]
            ),
            (
                "strings are passed over",
                "\u{1B}]11;rgb:0000/0000/0000\u{7}\u{1B}P>|term 1\u{1B}\\\u{1B}_D q\u{1B}\\\u{1B}^D\u{1B}\\A", ["A"]
            ),
            ("Ctrl-C within a sequence or a string", "\u{1B}[1;\u{3}\u{1B}]11;D\u{3}", [.control("c"), .control("c")]),
            ("C1 control", "\u{9B}a", [.character("a")]),
        ] as [(String, String, [Key])])
    func keys(name: String, text: String, expected: [Key]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(text.utf8) == expected.map(InputEvent.key))
        #expect(decoder.deadline == nil)
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

    @Test("8-bit introducers start sequences")
    func eightBit() {
        var decoder = InputDecoder()
        #expect(
            decoder.feed([0x9B, 0x41, 0x8F, 0x70, 0x9B, 0x4D, 0x20, 0x44, 0x44]) == [
                .key(.up), .key("0"), .mouse(MouseEvent(.press, at: Point(x: 35, y: 35))),
            ])
    }

    @Test(
        "Bytes that are not UTF-8 are skipped",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        var decoder = InputDecoder()
        let events = decoder.feed(bytes + Array("a".utf8))
        #expect(events.last == .key(.character("a")))
        #expect(events.count == (bytes == [0xE2, 0x28] ? 2 : 1))
        #expect(decoder.deadline == nil)
    }
}
