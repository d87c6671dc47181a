/// The content of one cell, or of two for a wide character: a base character with its combining marks.
///
/// Only ``Printable`` creates glyphs, so every cell is safe to send to a terminal.
package struct Glyph: Sendable, Hashable {
    package let text: String
    /// The width in columns: 1, 2, or 0 for the second half of a wide glyph.
    package let width: Int

    package static let space = Glyph(text: " ", width: 1)
    package static let continuation = Glyph(text: "", width: 0)

    /// The cached glyph of a printable ASCII byte; nil for other bytes.
    static func ascii(_ byte: UInt8) -> Glyph? {
        isPrintableASCII(byte) ? printableASCII[Int(byte) - 0x20] : nil
    }

    static func isPrintableASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static let printableASCII = (UInt8(0x20)..<0x7F).map {
        Glyph(text: String(Unicode.Scalar($0)), width: 1)
    }
}
