import MSAL
import TerminalUI

/// The QR code alone, in the whole window except the status line, for windows without room beside the text.
struct PictureView {
    private let picture: AddressPicture
    private let code: MSALDeviceCode?

    init(_ picture: QRCode, code: MSALDeviceCode?, _ context: Context) {
        self.picture = AddressPicture(picture, isASCII: context.options.ascii)
        self.code = code
    }

    /// The quiet zones to try. Scanners cope with less than the standard one.
    private static let quietChoices = [QRCode.quietZone, QRCode.quietZone / 2, 1]

    func draw(on surface: inout Surface, in window: Rect) {
        surface.cursor = Surface.Cursor(window.origin, isVisible: false)
        // The code to enter, if the address doesn't include it.
        let caption = code.map { [StyledLine([Span("Code ", .muted), Span($0.userCode, Style(.title, .bold))])] } ?? []
        let (area, below) = window.splitBottom(caption.count)
        for (rect, caption) in [(area, caption), (window, [])] {
            guard let quiet = picture.quiet(in: rect.size, choices: Self.quietChoices.map { ($0, 0) }) else { continue }
            picture.draw(quiet: quiet, on: &surface, in: rect.centered(picture.size(quiet: quiet)))
            return ScrollingText(caption).draw(on: &surface, in: below)
        }
        ScrollingText.wrapping(tooSmall(for: window.size), in: window).draw(on: &surface, in: window)
    }

    private func tooSmall(for size: Size) -> String {
        let least = picture.size(quiet: 1)
        let missing = [
            least.width > size.width ? Moment.count(least.width - size.width, "column") : nil,
            least.height > size.height ? Moment.count(least.height - size.height, "row") : nil,
        ]
        return
            "The QR code needs \(missing.compactMap(\.self).joined(separator: " and ")) more. "
            + "Press \(Verb.copyValue.label) to copy the URL, \(Verb.picture.label) to go back."
    }
}
