import TerminalUI
import Testing

@Suite struct ColorThemeTests {
    @Test("without colour nothing but bold, reverse and underline is used", arguments: Role.allCases)
    func mono(role: Role) {
        let look = ColorTheme.mono.look(of: Style(role))
        #expect(look.color == nil)
        #expect(!look.attributes.contains(.dim))
    }

    @Test("the selection and links are told from text without colour", arguments: [ScreenTheme.mono, .standard])
    func shape(kind: ScreenTheme) {
        let theme = ColorTheme(kind)
        #expect(theme.look(of: .selection).attributes == .reverse)
        #expect(theme.look(of: .link).attributes.contains(.underline))
        #expect(theme.look(of: .text).color == nil && theme.look(of: .text).attributes.isEmpty)
    }

    @Test("colours are among the first eight, which every colour terminal has", arguments: Role.allCases)
    func colors(role: Role) {
        let look = ColorTheme(.standard).look(of: Style(role))
        // Black can be told from the default background only where there is another one.
        #expect(look.color.map { (look.background == nil ? 1..<8 : 0..<7).contains($0) } ?? true)
    }

    @Test("a style's own attributes are laid on top of its role's")
    func attributes() {
        #expect(ColorTheme(.standard).look(of: Style(.danger, .reverse)).attributes == [.bold, .reverse])
    }

    @Test(
        "with high contrast nothing is dim, and nothing depends on the terminal's background", arguments: Role.allCases)
    func contrast(role: Role) {
        let look = ColorTheme(.contrast).look(of: Style(role))
        #expect(look.color != nil && look.background != nil && look.color != look.background)
        #expect(!look.attributes.contains(.dim))
        #expect(ColorTheme.backgrounds.contains(look.background))
    }
}
