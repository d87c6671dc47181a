import TerminalUI
import Testing

@Suite struct SurfaceTests {
    @Test("A wide character fills two cells, the second a continuation")
    func wideCells() {
        var surface = Surface(size: Size(width: 4, height: 1))
        surface.write("漢a", at: .zero, style: .accent)
        #expect(surface.row(0).map(\.text) == ["漢", "", "a", " "])
        #expect(surface.row(0).map(\.width) == [2, 0, 1, 1])
        #expect(surface.text == "漢a")
    }

    @Test(
        "No wide character is cut at an edge",
        arguments: [("right edge", 3, "abc"), ("half over the left edge", -1, " b"), ("left of it", -3, "")])
    func edges(name: String, x: Int, expected: String) {
        var surface = Surface(size: Size(width: 4, height: 1))
        let text = x > 0 ? "漢" : "漢b"
        if x > 0 { surface.write("abc", at: .zero) }
        surface.write(text, at: Point(x: x, y: 0))
        #expect(surface.text == expected)
    }

    @Test("Writing over one half of a wide character blanks the other")
    func overwriteHalves() {
        var left = Surface(size: Size(width: 4, height: 1))
        left.write("漢字", at: .zero)
        left.write("x", at: .zero)
        #expect(left.row(0).map(\.text) == ["x", " ", "字", ""])
        var right = Surface(size: Size(width: 4, height: 1))
        right.write("漢字", at: .zero)
        right.write("x", at: Point(x: 1, y: 0))
        #expect(right.row(0).map(\.text) == [" ", "x", "字", ""])
        var across = Surface(size: Size(width: 4, height: 1))
        across.write("漢字", at: .zero)
        across.write("語", at: Point(x: 1, y: 0))
        #expect(across.row(0).map(\.text) == [" ", "語", "", " "])
    }

    @Test("Writing stays within its clip, and above and below it nothing is drawn")
    func clip() {
        var surface = Surface(size: Size(width: 8, height: 2))
        let clip = Rect(x: 2, y: 0, width: 3, height: 1)
        #expect(surface.write("abcdef", at: Point(x: 0, y: 0), in: clip) == 5)
        surface.write("no", at: Point(x: 2, y: 1), in: clip)
        surface.write("no", at: Point(x: 2, y: 7))
        #expect(surface.lines == ["  cde", ""])
    }

    @Test("Outside text is made printable as it is written")
    func sanitized() {
        var surface = Surface(size: Size(width: 12, height: 1))
        surface.write("a\u{1B}[2J\nb\u{202E}c", at: .zero)
        #expect(surface.text == "a[2J bc")
    }

    @Test("An empty surface accepts any drawing")
    func empty() {
        var surface = Surface(size: .zero)
        surface.write("abc", at: .zero)
        surface.drawBox(surface.bounds, title: "x")
        StatusLine(hints: [.init("q", "quit")]).draw(on: &surface, in: surface.bounds)
        Dialog(title: "a", message: "b", buttons: [.init("c")]).draw(on: &surface, in: surface.bounds)
        #expect(surface.text == "")
    }
}
