import TerminalUI
import Testing

@Suite("Mouse input")
struct MouseInputTests {
    @Test(
        "xterm's SGR sequences",
        arguments: [
            ("\u{1B}[<0;1;1M", MouseEvent(.press, at: .zero)),
            ("\u{1B}[<0;300;42M", MouseEvent(.press, at: Point(x: 299, y: 41))),
            ("\u{1B}[<64;5;6M", MouseEvent(.wheelUp, at: Point(x: 4, y: 5))),
            ("\u{1B}[<65;5;6M", MouseEvent(.wheelDown, at: Point(x: 4, y: 5))),
            ("\u{1B}[<16;5;6M", MouseEvent(.press, at: Point(x: 4, y: 5))),
        ])
    func understood(bytes: String, event: MouseEvent) {
        var decoder = InputDecoder()
        #expect(decoder.feed(bytes.utf8) == [.mouse(event)])
    }

    @Test(
        "Unknown sequences are skipped whole",
        arguments: [
            "\u{1B}[<0;1;1m", "\u{1B}[<32;1;1M", "\u{1B}[<2;1;1M", "\u{1B}[<0;1M", "\u{1B}[<;;M", "\u{1B}[<0;0;0M",
            "\u{1B}[<0;99999999999999999999;1M",
        ])
    func passedOver(bytes: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed((bytes + "x").utf8) == [.key(.character("x"))])
    }
}
