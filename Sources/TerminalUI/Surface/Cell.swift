/// A character cell: its glyph, width and style.
///
/// A wide character fills two cells: the first holds it (`width` 2), the second is a continuation (no text, `width` 0).
package struct Cell: Sendable, Hashable {
    package let glyph: Glyph
    package var style: Style

    package var text: String { glyph.text }
    package var width: Int { glyph.width }
    package var isContinuation: Bool { glyph.width == 0 }

    package init(_ glyph: Glyph, style: Style = .text) {
        self.glyph = glyph
        self.style = style
    }

    package static let blank = Cell(.space)
}
