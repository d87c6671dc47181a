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
        "xterm's first form, which GNU screen sends, and urxvt's",
        arguments: [
            ("\u{1B}[M !!", MouseEvent(.press, at: .zero)),
            ("\u{1B}[M D7", MouseEvent(.press, at: Point(x: 35, y: 22))),
            // The second byte would be Enter, Escape or Ctrl-C if it were a key.
            ("\u{1B}[M`-*", MouseEvent(.wheelUp, at: Point(x: 12, y: 9))),
            ("\u{1B}[Ma-*", MouseEvent(.wheelDown, at: Point(x: 12, y: 9))),
            ("\u{1B}[32;5;6M", MouseEvent(.press, at: Point(x: 4, y: 5))),
        ])
    func oldForms(bytes: String, event: MouseEvent) {
        var decoder = InputDecoder()
        #expect(decoder.feed((bytes + "x").utf8) == [.mouse(event), .key(.character("x"))])
    }

    @Test("Columns beyond 95 are bytes, not characters, and a release is nothing")
    func wideOldForm() {
        var decoder = InputDecoder()
        #expect(
            decoder.feed([0x1B, 0x5B, 0x4D, 0x20, 0xC3, 0xA9, 0x1B, 0x5B, 0x4D, 0x23, 0xC3, 0xA9, 0x78])
                == [.mouse(MouseEvent(.press, at: Point(x: 162, y: 136))), .key(.character("x"))])
    }

    @Test("A double click is two presses at one place within 400 ms, and nothing between them")
    func doubleClicks() {
        func kinds(_ events: (Int, InputEvent)...) -> [MouseEvent.Kind?] {
            var clicks = DoubleClicks()
            return events.map { milliseconds, event in
                let read = clicks.read(event, at: .milliseconds(milliseconds))
                return if case .mouse(let mouse) = read { mouse.kind } else { nil }
            }
        }
        let (here, there) = (MouseEvent(.press, at: .zero), MouseEvent(.press, at: Point(x: 1, y: 0)))
        #expect(kinds((0, .mouse(here)), (300, .mouse(here))) == [.press, .doublePress])
        #expect(kinds((0, .mouse(here)), (500, .mouse(here))) == [.press, .press])
        #expect(kinds((0, .mouse(here)), (10, .mouse(there))) == [.press, .press])
        #expect(kinds((0, .mouse(here)), (10, .key(.up)), (20, .mouse(here))) == [.press, nil, .press])
        #expect(
            kinds((0, .mouse(here)), (10, .mouse(here)), (20, .mouse(here))) == [.press, .doublePress, .press])
    }

    @Test(
        "Unknown sequences are skipped whole",
        arguments: [
            "\u{1B}[<0;1;1m", "\u{1B}[<32;1;1M", "\u{1B}[<2;1;1M", "\u{1B}[<0;1M", "\u{1B}[<;;M", "\u{1B}[<0;0;0M",
            "\u{1B}[<0;99999999999999999999;1M", "\u{1B}[M#!!", "\u{1B}[M\"!!", "\u{1B}[35;5;6M",
        ])
    func passedOver(bytes: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed((bytes + "x").utf8) == [.key(.character("x"))])
    }
}
