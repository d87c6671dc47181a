/// What one cell, or one pair of cells, can show: a base character with the marks that combine with it.
///
/// Only ``Printable`` makes glyphs, so whatever reaches a cell is safe to send to a terminal.
package struct Glyph: Sendable, Hashable {
    package let text: String
    /// Columns: 1, 2, or 0 for the second half of a wide glyph.
    package let width: Int

    init(text: String, width: Int) {
        self.text = text
        self.width = width
    }

    package static let space = Glyph(text: " ", width: 1)
    package static let continuation = Glyph(text: "", width: 0)
}
