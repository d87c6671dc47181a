import TerminalUI
import Testing

@Suite struct ColorThemeTests {
    @Test("Without colour, only bold, reverse and underline are used", arguments: Role.allCases)
    func mono(role: Role) {
        let look = ColorTheme.mono.look(of: Style(role))
        #expect(look.color == nil)
        #expect(!look.attributes.contains(.dim))
    }

    @Test("The selection and links differ from text without colour", arguments: [ScreenTheme.mono, .standard])
    func shape(kind: ScreenTheme) {
        let theme = ColorTheme(kind)
        #expect(theme.look(of: .selection).attributes == .reverse)
        #expect(theme.look(of: .link).attributes.contains(.underline))
        #expect(theme.look(of: .text).color == nil && theme.look(of: .text).attributes.isEmpty)
    }

    @Test("Colours are among the first eight, which every colour terminal has", arguments: Role.allCases)
    func colors(role: Role) {
        let look = ColorTheme(.standard).look(of: Style(role))
        // Black differs from the default background only if that is another colour.
        #expect(look.color.map { (look.background == nil ? 1..<8 : 0..<7).contains($0) } ?? true)
    }

    @Test("High contrast is readable with the usual sixteen colours", arguments: Role.allCases)
    func readable(role: Role) {
        let look = ColorTheme(.contrast).look(of: Style(role))
        let luminances = [look.color, look.background].map { Self.luminance(of: $0 ?? 0) }.sorted()
        // WCAG 2.2, 1.4.3.
        #expect((luminances[1] + 0.05) / (luminances[0] + 0.05) >= 4.5)
    }

    /// One of xterm's first eight colours, whose parts are all 0, 205 or, in white, 229.
    private static func luminance(of color: Int) -> Double {
        let level = color == 7 ? 0.783 : 0.610
        return [(1, 0.2126), (2, 0.7152), (4, 0.0722)].reduce(0) { $0 + (color & $1.0 == 0 ? 0 : level * $1.1) }
    }

    @Test("A style's own attributes are added to its role's")
    func attributes() {
        #expect(ColorTheme(.standard).look(of: Style(.danger, .reverse)).attributes == [.bold, .reverse])
    }

    @Test(
        "With high contrast nothing is dim, and nothing depends on the terminal's background", arguments: Role.allCases)
    func contrast(role: Role) {
        let look = ColorTheme(.contrast).look(of: Style(role))
        #expect(look.color != nil && look.background != nil && look.color != look.background)
        #expect(!look.attributes.contains(.dim))
        #expect(ColorTheme.backgrounds.contains(look.background))
    }
}
