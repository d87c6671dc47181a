import TerminalUI
import Testing

@Suite struct SurfaceChangesTests {
    private func surface(_ text: String, style: Style = .text, width: Int = 6) -> Surface {
        var surface = Surface(size: Size(width: width, height: 1))
        surface.write(text, at: .zero, style: style)
        return surface
    }

    @Test(
        "Only differences are drawn",
        arguments: [
            ("same", "漢ab", "漢ab", [] as [Int]), ("one letter", "abc", "axc", [1]), ("shorter", "abc", "a", [1, 2]),
            ("wide to narrow", "漢c", "abc", [0, 1]), ("narrow to wide", "abc", "漢c", [0]),
            ("wide characters moved", "a漢b", "漢ab", [0, 2]),
        ])
    func changes(name: String, before: String, after: String, columns: [Int]) {
        #expect(surface(after).changes(since: surface(before)).map(\.point.x) == columns)
    }

    @Test("A change of style alone is a difference")
    func style() {
        #expect(surface("漢a", style: .danger).changes(since: surface("漢a")).map(\.point.x) == [0, 2])
    }

    @Test("Without an earlier surface, every non-blank cell is drawn")
    func fromNothing() {
        #expect(surface(" a b").changes(since: nil).map(\.point.x) == [1, 3])
        #expect(surface("a").changes(since: surface("a", width: 9)).map(\.point.x) == [0])
    }
}
