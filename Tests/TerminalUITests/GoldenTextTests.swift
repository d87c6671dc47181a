import TerminalUI
import TestSupport
import Testing

@Suite struct GoldenTextTests {
    @Test("The text of screens has rows, cursor and styles, with the styles of the first screen only")
    func wholeText() {
        var surface = Surface(size: Size(width: 10, height: 4))
        surface.write("ab", at: .zero, style: .title)
        surface.write("cd", at: Point(x: 4, y: 0), style: Style(.danger, [.bold, .underline]))
        surface.write("漢", at: Point(x: 1, y: 2), style: .muted)
        surface.write("字", at: Point(x: 1, y: 3), style: .muted)
        surface.cursor = .init(Point(x: 1, y: 2), isVisible: false)
        var other = Surface(size: Size(width: 5, height: 6))
        other.write("ef", at: Point(x: 0, y: 2), style: .title)
        #expect(
            GoldenText([surface, other]).text == """
                == 10x4, cursor 1,2 hidden
                ab  cd

                 漢
                 字
                -- styles
                0: 0-1 title, 4-5 danger+bold+underline
                2-3: 1-2 muted
                == 5x6, no cursor


                ef
                (3 blank rows)

                """)
    }

    @Test("The text of styles has each theme's attributes")
    func looks() {
        #expect(
            GoldenText(looksOf: [.title, .muted, Style(.danger, [.bold, .underline])]).text == """
                == looks: default | mono | contrast
                danger+bold+underline: bold underline red | bold underline | bold underline black on white
                muted: dim | plain | white on black
                title: bold | bold | bold white on black

                """)
    }
}
