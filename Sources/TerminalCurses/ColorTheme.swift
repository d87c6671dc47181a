import TerminalUI

/// How roles look: one of the terminal's own colours, on its default background but for pictures, and
/// attributes.
///
/// The colours are the 16 that a person's own theme sets. “Bright black” is left alone: some themes make it the colour of
/// the background.
package struct ColorTheme: Sendable, Hashable {
    package struct Look: Sendable, Hashable {
        /// ANSI colour number; nil is the default foreground.
        package var color: Int?
        /// ANSI colour number; nil is the default background.
        package var background: Int?
        package var attributes: Style.Attributes
    }

    package let isMonochrome: Bool

    /// Without colours, by the person's wish (`NO_COLOR`, see no-color.org) or for lack of them.
    package static let mono = ColorTheme(isMonochrome: true)
    package static let sixteen = ColorTheme(isMonochrome: false)

    package func look(of style: Style) -> Look {
        let base = isMonochrome ? Self.monochrome(style.role) : Self.colored(style.role)
        return Look(color: base.color, background: base.background, attributes: base.attributes.union(style.attributes))
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

    private static func monochrome(_ role: Role) -> Look {
        switch role {
        case .text, .muted, .border, .success: Look(color: nil, attributes: [])
        case .accent, .title, .warning, .danger, .key: Look(color: nil, attributes: .bold)
        // A terminal without colours is taken to be light on dark.
        case .selection, .picture: Look(color: nil, attributes: .reverse)
        case .link: Look(color: nil, attributes: .underline)
        }
    }
}
