import TerminalUI
import Testing

/// What time decides: Escape or a sequence, and the end of a paste. Each byte has its time; nothing sleeps.
@Suite("Input and time")
struct InputTimingTests {
    /// Feeds texts at times in milliseconds, and lets each wait end that ends before.
    private static func events(
        _ input: [(Int, String)], wait: EscapeWait = EscapeWait(), until end: Int = 10_000
    ) -> [InputEvent] {
        var decoder = InputDecoder(wait)
        var events: [InputEvent] = []
        for (time, text) in input + [(end, "")] {
            while let deadline = decoder.deadline, deadline < .milliseconds(time) {
                events += decoder.expire(at: deadline)
            }
            events += decoder.feed(text.utf8, at: .milliseconds(time))
        }
        return events
    }

    private static func keys(_ keys: Key...) -> [InputEvent] { keys.map(InputEvent.key) }

    @Test(
        "An Escape with nothing after it is the key",
        arguments: [
            ([0x1B], [Key.escape]), ([0x1B, 0x5B], [.alt("[")]), ([0x1B, 0x50], [.alt("P")]),
            ([0x1B, 0x5B, 0x31, 0x3B], []),
            // Half of é, two thirds of €, which are not keys after any byte.
            ([0x1B, 0xC3], []), ([0x1B, 0xE2, 0x82], []), ([0xC3], []), ([0x1B, 0x5B, 0x4D, 0x20], []),
        ])
    func expiry(start: [UInt8], expected: [Key]) throws {
        var decoder = InputDecoder()
        #expect(decoder.feed(start).isEmpty)
        let deadline = try #require(decoder.deadline)
        #expect(decoder.expire(at: deadline - .milliseconds(1)).isEmpty)
        #expect(decoder.expire(at: deadline) == expected.map(InputEvent.key))
        #expect(decoder.deadline == nil)
        #expect(decoder.feed("a".utf8, at: deadline) == [.key("a")])
    }

    @Test(
        "How long an Escape waits",
        arguments: [
            ([:], nil, 100), ([:], 38_400, 100), ([:], 9_600, 300), (["SSH_TTY": "/dev/pts/1"], 38_400, 300),
            (["SSH_CONNECTION": "a 1 b 2"], nil, 300), (["SSH_TTY": ""], nil, 100),
            (["ESCDELAY": "25", "SSH_TTY": "x"], 300, 25),
            (["ESCDELAY": "1000"], nil, 1000), (["ESCDELAY": "soon"], nil, 100), (["ESCDELAY": "-1"], nil, 100),
            (["ESCDELAY": "99999999"], nil, 10_000),
        ] as [([String: String], Int?, Int)])
    func waits(environment: [String: String], baud: Int?, milliseconds: Int) {
        var decoder = InputDecoder(EscapeWait(environment: environment, baud: baud))
        _ = decoder.feed([0x1B])
        #expect(decoder.deadline == .milliseconds(milliseconds))
    }

    @Test(
        "A slow line splits sequences and characters, and the result is the same",
        arguments: [
            ("\u{1B}[B", [.down]), ("\u{1B}OD", [.left]), ("\u{1B}[1;5D", [.left]), ("\u{1B}[15~", [.function(5)]),
            ("é", ["é"]), ("漢", ["漢"]), ("\u{1B}[99;5u", [.control("c")]), ("\u{1B}[M DD", []),
        ] as [(String, [Key])])
    func slowLine(text: String, expected: [Key]) {
        let bytes = text.utf8.enumerated().map { ($0.offset * 250, $0.element) }
        var decoder = InputDecoder(EscapeWait(environment: ["SSH_TTY": "/dev/pts/1"]))
        var events: [InputEvent] = []
        for (time, byte) in bytes {
            if let deadline = decoder.deadline, deadline < .milliseconds(time) {
                events += decoder.expire(at: deadline)
            }
            events += decoder.feed([byte], at: .milliseconds(time))
        }
        let keys = events.filter { if case .mouse = $0 { false } else { true } }
        #expect(keys == expected.map(InputEvent.key))
    }

    @Test("The rest of a sequence that is later than the wait is no key, and the wait grows")
    func lateRest() {
        for rest in ["[D", "OD", "[3~", "[1;5D", "Op"] {
            let first = Self.events([(0, "\u{1B}"), (150, rest), (1000, "\u{1B}"), (1200, rest)])
            #expect(first.first == .key(.escape))
            #expect(first.count == 2, "\(rest): \(first)")
            #expect(first.last != .key(.escape))
        }
        // Byte by byte.
        #expect(Self.events([(0, "\u{1B}"), (400, "["), (800, "D"), (900, "x")]) == Self.keys(.escape, "x"))
    }

    @Test("Keys after an Escape are keys")
    func afterEscape() {
        #expect(Self.events([(0, "\u{1B}"), (60, "q")]) == Self.keys(.escape, "q"))
        #expect(Self.events([(0, "\u{1B}"), (10, "q")]) == Self.keys(.alt("q")))
        let remote = EscapeWait(environment: ["SSH_TTY": "/dev/pts/1"])
        #expect(Self.events([(0, "\u{1B}"), (140, "\r")], wait: remote) == Self.keys(.alt(.enter)))
        #expect(Self.events([(0, "\u{1B}"), (160, "\r")], wait: remote) == Self.keys(.escape, .enter))
        #expect(Self.events([(0, "\u{1B}"), (200, "D")]) == Self.keys(.escape, "D"))
        #expect(Self.events([(0, "\u{1B}"), (200, "[")]) == Self.keys(.escape, "["))
        #expect(Self.events([(0, "\u{1B}"), (200, "O"), (2000, "D")]) == Self.keys(.escape, "O", "D"))
        #expect(Self.events([(0, "\u{1B}"), (200, "O"), (300, "z")]) == Self.keys(.escape, "O", "z"))
        #expect(Self.events([(0, "\u{1B}"), (2000, "["), (4000, "D")]) == Self.keys(.escape, "[", "D"))
        #expect(Self.events([(0, "\u{1B}"), (60, "\u{1B}"), (300, "x")]) == Self.keys(.escape, .escape, "x"))
    }

    @Test("A paste is one event, with uniform line ends")
    func paste() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~one\rtwo\r\nthree\r\r\nfour".utf8).isEmpty)
        #expect(decoder.feed("\u{1B}[201~q".utf8) == [.paste("one\ntwo\nthree\n\nfour"), .key(.character("q"))])
        #expect(decoder.deadline == nil)
    }

    @Test("A paste without an end becomes a paste by time, and the keys work again")
    func endOfPaste() {
        #expect(Self.events([(0, "\u{1B}[200~text"), (3000, "q")]) == [.paste("text"), .key("q")])
        // Part of the end has come.
        #expect(Self.events([(0, "\u{1B}[200~text\u{1B}[20"), (3000, "q")]) == [.paste("text"), .key("q")])
        // A user who types on doesn't prolong it.
        let typed = (1...20).map { ($0 * 200, "x") }
        let events = Self.events([(0, "\u{1B}[200~text")] + typed)
        #expect(events.count > 10)
        #expect(events.last == .key("x"))
    }

    @Test("Ctrl-C ends a paste at once, and pasted bytes after it are no keys")
    func interruptedPaste() {
        #expect(
            Self.events([(0, "\u{1B}[200~text"), (100, "\u{3}"), (2000, "q")]) == [
                .paste("text"), .key(.control("c")), .key("q"),
            ])
        #expect(Self.events([(0, "\u{1B}[200~a\u{3}D\u{1B}[201~q")]) == [.paste("a"), .key(.control("c")), .key("q")])
        #expect(
            Self.events([(0, "\u{1B}[200~a"), (10, "\u{3}"), (50, "\u{3}")]) == [
                .paste("a"), .key(.control("c")), .key(.control("c")),
            ])
    }

    @Test("A paste over a slow line is one paste, also when it stalls")
    func slowPaste() {
        let pieces = (0..<50).map { ($0 * 100, String(repeating: "p", count: 96)) }
        let text = String(repeating: "p", count: 96 * 50)
        #expect(Self.events([(0, "\u{1B}[200~")] + pieces + [(5000, "\u{1B}[201~q")]) == [.paste(text), .key("q")])
        #expect(
            Self.events([(0, "\u{1B}[200~one"), (4000, "D and a rest\u{1B}[201~q")])
                == [.paste("one"), .paste("D and a rest"), .key("q")])
        #expect(
            Self.events([(0, "\u{1B}[200~one"), (4000, String(repeating: "D", count: 100)), (4100, "D\u{1B}[201~q")])
                == [.paste("one"), .paste(String(repeating: "D", count: 101)), .key("q")])
    }

    @Test("A paste stops growing at its limit, and its rest is no key")
    func longPaste() {
        var decoder = InputDecoder()
        _ = decoder.feed("\u{1B}[200~".utf8)
        let block = [UInt8](repeating: 0x61, count: 1 << 16)
        let events = (0..<20).flatMap { _ in decoder.feed(block) }
        #expect(events == [.paste(String(repeating: "a", count: InputDecoder.longestPaste))])
        #expect(decoder.feed("\u{1B}[201~q".utf8) == [.key("q")])
    }

    @Test("A string without an end is given up")
    func endOfString() {
        #expect(Self.events([(0, "\u{1B}]11;rgb"), (3000, "q")]) == Self.keys("q"))
        #expect(Self.events([(0, "\u{1B}]11;rgb"), (300, "x"), (600, "x"), (900, "x"), (1200, "q")]) == Self.keys("q"))
    }
}
