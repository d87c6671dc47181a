/// The colours and attributes of roles. On an unknown background, uses the terminal's 16 colours, which the user's
/// terminal theme defines, except “bright black”: in some themes it's the background colour. On a known one, uses fixed
/// colours of the 256, which are readable.
package struct ColorTheme: Sendable, Hashable {
    package struct Look: Sendable, Hashable {
        /// ANSI colour numbers; nil for the terminal's own.
        package var color: Int?
        package var background: Int?
        package var attributes: Style.Attributes

        /// Selects this look and no other (SGR of ECMA-48).
        package var controlSequence: String {
            let names: [(Style.Attributes, Int)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
            let colors = [color.map { $0 < 8 ? "\(30 + $0)" : "38;5;\($0)" }, background.map { "\(40 + $0)" }]
            let numbers = names.filter { attributes.contains($0.0) }.map { "\($0.1)" } + colors.compactMap(\.self)
            return "\u{1B}[0\(numbers.map { ";\($0)" }.joined())m"
        }
    }

    private let kind: ScreenTheme
    private let ground: TerminalBackground?
    private let own: [Role: Look]

    /// `ground` is the background of a terminal with 256 colours, if it's known. `own` are the user's colours, which change the
    /// default theme only, if the terminal has `count` colours.
    package init(
        _ kind: ScreenTheme, on ground: TerminalBackground? = nil, own: OwnColors = OwnColors(), of count: Int = 256
    ) {
        (self.kind, self.ground) = (kind, ground)
        self.own = kind == .standard ? own.looks.filter { $0.value.color ?? 0 < count } : [:]
    }

    /// Without colours, because of `NO_COLOR` (no-color.org) or a monochrome terminal.
    package static let mono = ColorTheme(.mono)

    package var isMonochrome: Bool { kind == .mono }

    package func look(of style: Style) -> Look {
        let base =
            switch kind {
            case .standard:
                own[style.role] ?? ground.map { Self.readable(style.role, on: $0) } ?? Self.colored(style.role)
            case .mono: Self.monochrome(style.role)
            case .contrast: Self.contrasting(style.role)
            }
        return Look(color: base.color, background: base.background, attributes: base.attributes.union(style.attributes))
    }

    /// `text` in a style, for a line outside the screen.
    package func text(_ text: String, in style: Style) -> String {
        look(of: style).controlSequence + text + "\u{1B}[0m"
    }

    private static func colored(_ role: Role) -> Look {
        switch role {
        case .text: Look(color: nil, attributes: [])
        case .muted, .border: Look(color: nil, attributes: .dim)
        case .accent: Look(color: 6, attributes: [])
        case .selection: Look(color: nil, attributes: .reverse)
        case .title: Look(color: nil, attributes: .bold)
        case .success: Look(color: 2, attributes: [])
        case .warning: Look(color: 3, attributes: [])
        case .danger: Look(color: 1, attributes: .bold)
        case .key: Look(color: 6, attributes: .bold)
        case .link: Look(color: 6, attributes: .underline)
        case .picture: Look(color: 0, background: 7, attributes: [])
        }
    }

    private static func readable(_ role: Role, on ground: TerminalBackground) -> Look {
        func look(_ onDark: Int, _ onLight: Int, _ attributes: Style.Attributes = []) -> Look {
            Look(color: ground == .dark ? onDark : onLight, attributes: attributes)
        }
        return switch role {
        case .text, .title, .selection, .picture: colored(role)
        case .muted, .border: look(248, 240)
        case .accent: look(80, 25)
        case .key: look(80, 25, .bold)
        case .link: look(80, 25, .underline)
        case .success: look(114, 22)
        case .warning: look(221, 94)
        case .danger: look(210, 124, .bold)
        }
    }

    private static func monochrome(_ role: Role) -> Look {
        switch role {
        case .text, .muted, .border, .success: Look(color: nil, attributes: [])
        case .accent, .title, .warning, .danger, .key: Look(color: nil, attributes: .bold)
        // Assumes that a terminal without colours is light on dark.
        case .selection, .picture: Look(color: nil, attributes: .reverse)
        case .link: Look(color: nil, attributes: .underline)
        }
    }

    /// The contrast theme: WCAG 2.2 AA with the default colours of common terminals, in which red and yellow are often too
    /// dark or too light. Nothing is dim, and nothing depends on the terminal's background.
    private static func contrasting(_ role: Role) -> Look {
        switch role {
        case .text, .muted, .border: Look(color: 7, background: 0, attributes: [])
        case .title: Look(color: 7, background: 0, attributes: .bold)
        case .accent: Look(color: 6, background: 0, attributes: .bold)
        case .success: Look(color: 2, background: 0, attributes: .bold)
        case .warning: Look(color: 7, background: 0, attributes: .bold)
        case .key: Look(color: 6, background: 0, attributes: .bold)
        case .link: Look(color: 6, background: 0, attributes: [.bold, .underline])
        case .selection: Look(color: 0, background: 6, attributes: [])
        case .danger, .picture: Look(color: 0, background: 7, attributes: [])
        }
    }
}

package struct ScreenDisplay: Sendable, Hashable {
    package var theme: ScreenTheme
    /// Whether clicks and the wheel are input. Selecting text in the terminal then needs Shift.
    package var usesMouse: Bool
    package var colors = OwnColors()

    package init(theme: ScreenTheme = .standard, usesMouse: Bool = false) {
        (self.theme, self.usesMouse) = (theme, usesMouse)
    }
}

package enum ScreenTheme: String, Sendable, CaseIterable {
    /// The terminal's colours on its own background.
    case standard = "default"
    case mono
    /// A few contrasting colours on a fixed background.
    case contrast

    package var next: ScreenTheme { Self.allCases.next(after: self) ?? self }
}
