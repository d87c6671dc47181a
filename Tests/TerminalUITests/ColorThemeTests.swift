import Foundation
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
        #expect(!look.controlSequence.contains(";5;"))
        #expect(ColorTheme(.standard, on: .light).look(of: .key).controlSequence == "\u{1B}[0;1;38;5;25m")
        // Black differs from the default background only if that is another colour.
        #expect(look.color.map { (look.background == nil ? 1..<8 : 0..<7).contains($0) } ?? true)
    }

    @Test(
        "Contrast and mono meet WCAG 2.2 AA (1.4.3) with the default colours of common terminals",
        arguments: Role.allCases, palettes.keys.sorted())
    func readable(role: Role, terminal: String) throws {
        let palette = try #require(Self.palettes[terminal])
        for kind in [ScreenTheme.contrast, .mono] {
            #expect(Self.contrast(of: ColorTheme(kind).look(of: Style(role)), in: palette) >= 4.5, "\(kind)")
        }
    }

    @Test("The default theme's body text meets WCAG 2.2 AA", arguments: palettes.keys.sorted())
    func own(terminal: String) throws {
        let palette = try #require(Self.palettes[terminal])
        for role in [Role.text, .title, .selection, .picture] {
            #expect(Self.contrast(of: ColorTheme(.standard).look(of: Style(role)), in: palette) >= 4.5, "\(role)")
        }
    }

    @Test(
        "On a known background, keys, names, states and dim text have a contrast of 4.5:1 or more",
        arguments: [
            ("xterm", 0x000000, 0xFFFFFF), ("VS Code", 0x1E1E1E, 0xFFFFFF), ("GNOME", 0x171421, 0xFFFFFF),
            ("Windows Terminal", 0x0C0C0C, 0xFAFAFA), ("Solarized", 0x002B36, 0xFDF6E3),
        ])
    func known(terminal: String, dark: Int, light: Int) throws {
        for (ground, color) in [(TerminalBackground.dark, dark), (.light, light)] {
            for role in [Role.muted, .accent, .key, .link, .success, .warning, .danger, .border] {
                let look = ColorTheme(.standard, on: ground).look(of: Style(role))
                let luminances = [color, Self.fixed(try #require(look.color))].map(Self.luminance).sorted()
                #expect((luminances[1] + 0.05) / (luminances[0] + 0.05) >= 4.5, "\(terminal) \(ground) \(role)")
                #expect(look.background == nil && !look.attributes.contains(.dim))
            }
        }
    }

    /// A colour of the 256 that no theme of a terminal changes: a cube of six levels, and 24 greys.
    private static func fixed(_ number: Int) -> Int {
        guard number < 232 else { return (8 + 10 * (number - 232)) * 0x010101 }
        let levels = [0, 95, 135, 175, 215, 255]
        return [36, 6, 1].reduce(0) { $0 << 8 | levels[(number - 16) / $1 % 6] }
    }

    @Test(
        "COLORFGBG tells the background",
        arguments: [
            ("15;0", TerminalBackground.dark), ("0;15", .light), ("0;default;7", .light), ("7;8", .dark),
            ("0;default", nil), ("0;99", nil), ("", nil), (nil, nil),
        ] as [(String?, TerminalBackground?)])
    func environment(value: String?, expected: TerminalBackground?) {
        #expect(TerminalBackground(environment: value) == expected)
    }

    /// The first eight colours. Text is white on black, or the reverse, which has the same contrast.
    private static let palettes: [String: [Int]] = [
        "xterm": [0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5],
        "Linux console": [0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA],
        "GNOME": [0x171421, 0xC01C28, 0x26A269, 0xA2734C, 0x12488B, 0xA347BA, 0x2AA1B3, 0xD0CFCC],
        "Konsole": [0x232627, 0xED1515, 0x11D116, 0xF67400, 0x1D99F3, 0x9B59B6, 0x1ABC9C, 0xFCFCFC],
        "kitty": [0x000000, 0xCC0403, 0x19CB00, 0xCECB00, 0x0D73CC, 0xCB1ED1, 0x0DCDCD, 0xDDDDDD],
        "macOS": [0x000000, 0x990000, 0x00A600, 0x999900, 0x0000B2, 0xB200B2, 0x00A6B2, 0xBFBFBF],
        "Windows": [0x0C0C0C, 0xC50F1F, 0x13A10E, 0xC19C00, 0x0037DA, 0x881798, 0x3A96DD, 0xCCCCCC],
    ]

    private static func contrast(of look: ColorTheme.Look, in palette: [Int]) -> Double {
        let luminances = [look.color ?? 7, look.background ?? 0].map { luminance(of: palette[$0]) }.sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    /// The relative luminance of an sRGB colour (WCAG 2.2).
    private static func luminance(of color: Int) -> Double {
        [(16, 0.2126), (8, 0.7152), (0, 0.0722)].reduce(0) { sum, part in
            let level = Double(color >> part.0 & 0xFF) / 255
            return sum + part.1 * (level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4))
        }
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
    }

    @Test(
        "Own colours replace those of the default theme",
        arguments: [
            ("blue", "0;34"), ("bold bright-blue", "0;1;38;5;12"), ("dim", "0;2"), ("default", "0"),
            ("214", "0;38;5;214"),
            ("#5fd7d7", "0;38;5;80"), ("underline #808080", "0;4;38;5;244"), ("reverse red", "0;7;31"),
        ])
    func own(text: String, sequence: String) throws {
        var own = OwnColors()
        try own.add(text, for: "key")
        let themes = [ColorTheme(.standard, own: own), ColorTheme(.standard, on: .light, own: own)]
        #expect(themes.allSatisfy { $0.look(of: .key).controlSequence == "\u{1B}[\(sequence)m" })
        for kind in [ScreenTheme.mono, .contrast] {
            #expect(ColorTheme(kind, own: own).look(of: .key) == ColorTheme(kind).look(of: .key))
        }
        #expect(themes[0].look(of: .danger) == ColorTheme(.standard).look(of: .danger))
    }

    @Test("A terminal with 8 colours keeps its own where it has none of the user's")
    func tooFew() throws {
        var own = OwnColors()
        try own.add("214", for: "key")
        try own.add("blue", for: "accent")
        let theme = ColorTheme(.standard, own: own, of: 8)
        #expect(theme.look(of: .key) == ColorTheme(.standard).look(of: .key) && theme.look(of: .accent).color == 4)
    }

    @Test(
        "Colours that there aren't",
        arguments: [
            ("keys", "blue", "unknown role"), ("picture", "blue", "unknown role"),
            ("key", "blu", "unknown colour \"blu\""),
            ("key", "256", "unknown colour"), ("key", "+1", "unknown colour"), ("key", "-1", "unknown colour"),
            ("key", "#12345", "unknown colour"), ("key", "#12345g", "unknown colour"),
            ("key", "#+12345", "unknown colour"),
            ("key", "bright-", "unknown colour"), ("key", "red blue", "two colours"),
            ("key", "default default", "two colours"),
        ])
    func wrongColors(role: String, text: String, problem: String) {
        var own = OwnColors()
        let mistake = #expect(throws: OwnMistake.self) { try own.add(text, for: role) }
        #expect(mistake?.problem.contains(problem) == true && mistake?.remedy.isEmpty == false && own == OwnColors())
    }
}
