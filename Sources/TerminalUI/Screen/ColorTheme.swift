/// How roles look: one of the terminal's own colours and attributes.
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

    private let kind: ScreenTheme

    package init(_ kind: ScreenTheme) { self.kind = kind }

    /// Without colours, by the person's wish (`NO_COLOR`, see no-color.org) or for lack of them.
    package static let mono = ColorTheme(.mono)

    package var isMonochrome: Bool { kind == .mono }

    /// What ``look(of:)`` lays colours on.
    package static let backgrounds: [Int?] = [nil, 0, 1, 3, 7]

    package func look(of style: Style) -> Look {
        let base =
            switch kind {
            case .standard: Self.colored(style.role)
            case .mono: Self.monochrome(style.role)
            case .contrast: Self.contrasting(style.role)
            }
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

    /// Nothing is dim, and nothing depends on what the terminal's own background is.
    private static func contrasting(_ role: Role) -> Look {
        switch role {
        case .text, .muted, .border: Look(color: 7, background: 0, attributes: [])
        case .title: Look(color: 7, background: 0, attributes: .bold)
        case .accent: Look(color: 6, background: 0, attributes: .bold)
        case .success: Look(color: 2, background: 0, attributes: .bold)
        case .warning, .key: Look(color: 3, background: 0, attributes: .bold)
        case .danger: Look(color: 7, background: 1, attributes: .bold)
        case .link: Look(color: 6, background: 0, attributes: [.bold, .underline])
        case .selection: Look(color: 0, background: 3, attributes: [])
        case .picture: Look(color: 0, background: 7, attributes: [])
        }
    }
}
