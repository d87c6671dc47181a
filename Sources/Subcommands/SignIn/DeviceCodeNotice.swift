import Console
import Foundation
import MSAL
import TerminalUI

/// A device code as text: URL, code, expiry and QR code.
struct DeviceCodeNotice: Sendable {
    /// Whether to draw the QR code and the code in bold, on a terminal.
    var drawsPicture: Bool
    var usesASCII: Bool

    func text(_ code: MSALDeviceCode, at now: Date) -> String {
        let seconds = max(0, code.expiresOn.timeIntervalSince(now))
        let left =
            seconds < 60
            ? Moment.count(Int(seconds), "second") : Moment.count(Int((seconds / 60).rounded(.up)), "minute")
        var lines = invitation(code) + picture(code)
        lines.append(
            "The code expires in \(left). Enter it only if you started this sign-in.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The URL once: with the code in it if the authority gives such a URL (RFC 8628 §3.3.1), which begins with the short one.
    private func invitation(_ code: MSALDeviceCode) -> [String] {
        let userCode = Printable.sanitize(code.userCode)
        let page = Printable.sanitize(code.verificationURL.absoluteString)
        let complete = code.verificationURLComplete.map { Printable.sanitize($0.absoluteString) }
        let shown = drawsPicture ? ColorTheme.mono.text(userCode, in: .title) : userCode
        let entry = "and enter the code \(shown)"
        guard let complete else { return ["Open \(page)", "\(entry)."] }
        guard complete.hasPrefix(page) else { return ["Open \(page)", "\(entry).", "Or open \(complete)"] }
        return ["Open \(complete)", "\(entry) if the page asks for it."]
    }

    /// The QR code in black on white, as scanners expect.
    private func picture(_ code: MSALDeviceCode) -> [String] {
        guard drawsPicture, let picture = QRCode(page: code.verificationURLComplete ?? code.verificationURL)
        else { return [] }
        let lines = usesASCII ? picture.asciiLines() : picture.halfBlockLines()
        return lines.map { "\u{1B}[30;47m\($0)\u{1B}[0m" }
    }
}
