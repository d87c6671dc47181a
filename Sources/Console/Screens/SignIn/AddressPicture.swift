import TerminalUI

/// The address of a page as a picture for a camera, in a window.
struct AddressPicture {
    private let code: QRCode
    private let isASCII: Bool

    init(_ code: QRCode, _ context: Context) {
        self.code = code
        isASCII = context.options.ascii
    }

    /// - Parameter quiet: modules of light around it.
    func lines(quiet: Int) -> [String] {
        isASCII ? code.asciiLines(quietZone: quiet) : code.halfBlockLines(quietZone: quiet)
    }

    /// What it takes of a window.
    func size(quiet: Int) -> Size {
        let side = code.width + 2 * quiet
        return isASCII ? Size(width: 2 * side, height: side) : Size(width: side, height: (side + 1) / 2)
    }

    /// The first of these that a window has room for.
    /// - Parameters:
    ///   - choices: modules of light, and the columns that are kept for what stands beside the picture.
    func quiet(in size: Size, choices: [(quiet: Int, beside: Int)]) -> Int? {
        choices.first { choice in
            let wanted = self.size(quiet: choice.quiet)
            return wanted.height <= size.height && wanted.width + choice.beside <= size.width
        }?.quiet
    }

    func draw(quiet: Int, on surface: inout Surface, in rect: Rect) {
        for (row, line) in lines(quiet: quiet).enumerated() {
            surface.write(line, at: rect.row(row).origin, in: rect, style: .picture)
        }
    }
}
