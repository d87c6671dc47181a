package struct Style: Sendable, Hashable {
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
    }

    package var role: Role
    package var attributes: Attributes

    package init(_ role: Role, _ attributes: Attributes = []) { (self.role, self.attributes) = (role, attributes) }

    package func adding(_ more: Attributes) -> Style { Style(role, attributes.union(more)) }

    package static let text = Style(.text)
    package static let muted = Style(.muted)
    package static let accent = Style(.accent)
    package static let selection = Style(.selection)
    package static let title = Style(.title)
    package static let success = Style(.success)
    package static let warning = Style(.warning)
    package static let danger = Style(.danger)
    package static let key = Style(.key)
    package static let border = Style(.border)
    package static let link = Style(.link)
    package static let picture = Style(.picture)
}

/// The purpose of a piece of text. Themes map roles to colours; views never name a colour. Colour never carries meaning
/// alone: a word or mark always accompanies it.
package enum Role: String, Sendable, Hashable, CaseIterable {
    case text, muted, accent, selection, title, success, warning, danger, key, border
    case link
    /// A QR code: dark on light, regardless of the terminal's colours.
    case picture
}
