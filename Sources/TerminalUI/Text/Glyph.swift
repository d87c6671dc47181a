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

    /// The glyph of a printable ASCII byte; nil for every other byte. Most text is ASCII, so none of it is made anew.
    static func ascii(_ byte: UInt8) -> Glyph? {
        isPrintableASCII(byte) ? printableASCII[Int(byte) - 0x20] : nil
    }

    static func isPrintableASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static let printableASCII = (UInt8(0x20)..<0x7F).map {
        Glyph(text: String(Unicode.Scalar($0)), width: 1)
    }
}
