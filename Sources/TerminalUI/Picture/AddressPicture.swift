/// The page address as a QR code.
package struct AddressPicture {
    private let code: QRCode
    private let isASCII: Bool

    package init(_ code: QRCode, isASCII: Bool) { (self.code, self.isASCII) = (code, isASCII) }

    package func lines(quiet: Int) -> [String] {
        isASCII ? code.asciiLines(quietZone: quiet) : code.halfBlockLines(quietZone: quiet)
    }

    package func size(quiet: Int) -> Size {
        let side = code.width + 2 * quiet
        return isASCII ? Size(width: 2 * side, height: side) : Size(width: side, height: (side + 1) / 2)
    }

    /// The first quiet zone of `choices` that fits in the window, with the columns to keep free beside the picture.
    package func quiet(in size: Size, choices: [(quiet: Int, beside: Int)]) -> Int? {
        choices.first { choice in
            let wanted = self.size(quiet: choice.quiet)
            return wanted.height <= size.height && wanted.width + choice.beside <= size.width
        }?.quiet
    }

    package func draw(quiet: Int, on surface: inout Surface, in rect: Rect) {
        for (row, line) in lines(quiet: quiet).enumerated() {
            surface.write(line, at: rect.row(row).origin, in: rect, style: .picture)
        }
    }
}
