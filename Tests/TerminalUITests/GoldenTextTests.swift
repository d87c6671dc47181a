import TerminalUI
import TestSupport
import Testing

@Suite struct GoldenTextTests {
    @Test("the text of a screen holds what is written, how it is styled, and what each theme makes of it")
    func wholeText() {
        var surface = Surface(size: Size(width: 10, height: 4))
        surface.write("ab", at: .zero, style: .title)
        surface.write("cd", at: Point(x: 4, y: 0), style: Style(.danger, [.bold, .underline]))
        surface.write("漢", at: Point(x: 1, y: 2), style: .muted)
        surface.write("字", at: Point(x: 1, y: 3), style: .muted)
        surface.cursor = .init(Point(x: 1, y: 2), isVisible: false)
        #expect(
            GoldenText([surface]).text == """
                == 10x4, cursor 1,2 hidden
                ab  cd

                 漢
                 字
                -- styles
                0: 0-1 title, 4-5 danger+bold+underline
                2-3: 1-2 muted
                == looks: default | mono | contrast
                danger+bold+underline: bold underline red | bold underline | bold underline white on red
                muted: dim | plain | white on black
                text: plain | plain | white on black
                title: bold | bold | bold white on black

                """)
    }
}
