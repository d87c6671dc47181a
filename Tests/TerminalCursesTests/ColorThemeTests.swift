import TerminalUI
import Testing

@testable import TerminalCurses

@Suite struct ColorThemeTests {
    @Test("without colour nothing but bold, reverse and underline is used", arguments: Role.allCases)
    func mono(role: Role) {
        let look = ColorTheme.mono.look(of: Style(role))
        #expect(look.color == nil)
        #expect(!look.attributes.contains(.dim))
    }

    @Test("the selection and links are told from text without colour", arguments: [ColorTheme.mono, .sixteen])
    func shape(theme: ColorTheme) {
        #expect(theme.look(of: .selection).attributes == .reverse)
        #expect(theme.look(of: .link).attributes.contains(.underline))
        #expect(theme.look(of: .text) == ColorTheme.Look(color: nil, attributes: []))
    }

    @Test("colours are among the first eight, which every colour terminal has", arguments: Role.allCases)
    func colors(role: Role) {
        let look = ColorTheme.sixteen.look(of: Style(role))
        // Black can be told from the default background only where there is another one.
        #expect(look.color.map { (look.background == nil ? 1..<8 : 0..<7).contains($0) } ?? true)
    }

    @Test("a style's own attributes are laid on top of its role's")
    func attributes() {
        #expect(ColorTheme.sixteen.look(of: Style(.danger, .reverse)).attributes == [.bold, .reverse])
    }
}
