import TerminalUI
import TestSupport
import Testing

@Suite struct WidgetTests {
    static let hints = [
        StatusLine.Hint("Enter", "token"), .init("i", "sign in"), .init("c", "claims"), .init("D", "remove"),
    ]

    static func statusLine(width: Int) -> String {
        var surface = Surface(size: Size(width: width, height: 1))
        StatusLine(hints: hints).draw(on: &surface, in: surface.bounds)
        return surface.text
    }

    @Test(
        "Hints drop from the last one, help never",
        arguments: [
            (52, "Enter token  i sign in  c claims  D remove    ? help"),
            (42, "Enter token  i sign in  c claims …  ? help"), (28, "Enter token …         ? help"),
            (12, "…     ? help"), (6, "? help"), (3, "? …"),
        ])
    func statusLineNarrows(width: Int, expected: String) {
        let shown = Self.statusLine(width: width)
        #expect(shown == expected)
        #expect(DisplayWidth.of(shown) == width)
    }

    @Test("Every golden file belongs to a test")
    func goldenFiles() throws {
        try expectGoldenFiles(["dialog-0", "dialog-1", "dialog-ascii", "key-values", "table"])
    }

    @Test("The spinner turns with the ticks and stops with reduced motion")
    func spinner() {
        #expect(Glyphs.unicode.spinnerFrame(tick: 0) != Glyphs.unicode.spinnerFrame(tick: 1))
        #expect(Glyphs.unicode.spinnerFrame(tick: 10) == Glyphs.unicode.spinnerFrame(tick: 0))
        #expect(Glyphs.ascii.spinnerFrame(tick: -1) == "\\")
        #expect(Glyphs.unicode.spinnerFrame(tick: 5, motion: false) == Glyphs.unicode.pending)
    }

    @Test("Every mark of both sets is one column wide, so both have the same layout")
    func glyphWidths() {
        for glyphs in [Glyphs.unicode, .ascii] {
            let texts = Mirror(reflecting: glyphs).children.flatMap {
                ($0.value as? [String]) ?? [$0.value as? String ?? ""]
            }
            #expect(texts.allSatisfy { DisplayWidth.of($0) == 1 })
        }
        #expect(Mirror(reflecting: Glyphs.ascii).children.allSatisfy { "\($0.value)".utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("A question names its object, and shows the focused button", arguments: [0, 1])
    func dialog(focused: Int) {
        var surface = Surface(size: Size(width: 60, height: 10))
        for y in 0..<10 { surface.write(String(repeating: "漢", count: 30), at: Point(x: 0, y: y), style: .muted) }
        let dialog = Dialog(
            title: "Remove account",
            message: "Remove alice@contoso.example? Its tokens are deleted here. You stay signed in in the browser.",
            buttons: [.init("Cancel"), .init("Remove", isDangerous: true)], focused: focused)
        dialog.draw(on: &surface, in: surface.bounds.inset(horizontal: 5, vertical: 0))
        expectGolden(surface, name: "dialog-\(focused)")
    }

    @Test("The same dialog in ASCII on a small screen")
    func dialogASCII() {
        var surface = Surface(size: Size(width: 24, height: 6), glyphs: .ascii)
        Dialog(
            title: "Remove account", message: "Remove 山田太郎@contoso.example? Its tokens are deleted here.",
            buttons: [.init("Cancel"), .init("Remove", isDangerous: true)]
        ).draw(on: &surface, in: surface.bounds)
        expectGolden(surface, name: "dialog-ascii")
    }

    @Test("Buttons that don't fit side by side are one below the other, and the focused one is always visible")
    func narrowDialog() {
        for height in [5, 8] {
            for focused in 0..<3 {
                var surface = Surface(size: Size(width: 40, height: height))
                Dialog(
                    title: "Sign out?", message: "alice@contoso.example",
                    buttons: [.init("Cancel"), .init("This computer"), .init("Browser too")], focused: focused
                ).draw(on: &surface, in: surface.bounds)
                let text = (0..<height).map { surface.row($0).map(\.text).joined() }.joined(separator: "\n")
                #expect(text.contains("›[\(["Cancel", "This computer", "Browser too"][focused])]"))
                #expect(height < 8 || text.contains("[Cancel]") && text.contains("[Browser too]"))
            }
        }
    }

    static let people: [[Span]] = [
        [Span("Alice Example"), Span("alice@contoso.example"), Span("Contoso", .muted), Span("54 min", .success)],
        [Span("山田 太郎"), Span("taro@contoso.example"), Span("Contoso", .muted), Span("expired", .warning)],
        [Span("김철수"), Span("chulsoo@fabrikam.example"), Span("Fabrikam", .muted), Span("none", .muted)],
        [
            Span("Zoe\u{308} Mu\u{308}ller"), Span("zoë@contoso.example"), Span("Contoso", .muted),
            Span("2 min", .success),
        ],
    ]

    @Test("A table of users at each width")
    func table() {
        let surfaces = [120, 80, 60, 40].map { width in
            var surface = Surface(size: Size(width: width, height: 6))
            Table(columns: LayoutTests.accounts, count: Self.people.count, selected: 1) { Self.people[$0] }
                .draw(on: &surface, in: surface.bounds)
            return surface
        }
        expectGolden(GoldenText(surfaces).text, name: "table")
    }

    @Test("Only visible rows are requested")
    func tableIsLazy() {
        var asked: [Int] = []
        var surface = Surface(size: Size(width: 40, height: 6))
        let table = Table(columns: LayoutTests.accounts, count: 10_000, selected: 5_003, previousOffset: 5_000) {
            index in
            asked.append(index)
            return [Span("\(index)")]
        }
        table.draw(on: &surface, in: surface.bounds)
        let shown = table.place(in: surface.bounds).rows
        #expect(asked == Array(shown))
        #expect(shown == 5_000..<5_005)
        #expect(surface.cursor == .init(Point(x: 0, y: 4), isVisible: false))
    }

    @Test("An empty table names the key to press")
    func emptyTable() {
        var surface = Surface(size: Size(width: 30, height: 3))
        Table(columns: LayoutTests.accounts, count: 0, selected: 0, emptyText: "No accounts. Press i to sign in.") {
            _ in
            []
        }.draw(on: &surface, in: surface.bounds)
        #expect(surface.lines == ["  Username", "  No accounts. Press i to sign", "  in."])
    }

    @Test("Names and values align, and long values continue below themselves")
    func keyValues() {
        let facts = StyledLine.facts(
            [
                ("Name", "山田 太郎"), ("Issuer", "https://login.example/contoso/v2.0/with/a/long/path"), ("Left out", ""),
                ("A name far too long for its column", "value"), ("Left out", nil),
            ], width: 36, glyphs: .unicode)
        var surface = Surface(size: Size(width: 36, height: 5))
        ScrollingText(facts).draw(on: &surface, in: surface.bounds)
        expectGolden(surface, name: "key-values")
    }

    @Test("Text that is too long is wrapped again, so that no letter is lost to the marks")
    func fitting() {
        var surface = Surface(size: Size(width: 10, height: 2), glyphs: .ascii)
        ScrollingText.fitting(surface.bounds) { StyledLine.wrap("one line that goes on", to: $0) }
            .draw(on: &surface, in: surface.bounds)
        #expect(surface.lines == ["one line", "that     v"])
    }

    @Test("Text that is too long has marks at the cut ends", arguments: [(0, " v"), (2, "^v"), (99, "^ ")])
    func scrolling(offset: Int, marks: String) {
        let text = ScrollingText((0..<8).map { StyledLine("line \($0)") }, offset: offset)
        var surface = Surface(size: Size(width: 10, height: 3), glyphs: .ascii)
        text.draw(on: &surface, in: surface.bounds)
        let first = min(offset, 5)
        #expect(surface.lines.map { $0.prefix(6) } == (first..<first + 3).map { "line \($0)" })
        #expect([surface[Point(x: 9, y: 0)], surface[Point(x: 9, y: 2)]].map(\.text).joined() == marks)
    }
}
