import Foundation
import MSAL
import TerminalUI

/// Shows a device code on a plain terminal: where to go, what to enter, how long there is, and the address as a picture.
struct DeviceCodeNotice: Sendable {
    /// A terminal shows it; a file would only be filled with it.
    var drawsPicture: Bool
    var usesASCII: Bool

    func text(_ code: MSALDeviceCode, at now: Date) -> String {
        let minutes = Int((max(0, code.expiresOn.timeIntervalSince(now)) / 60).rounded(.up))
        var lines = [
            "Open \(Printable.sanitize(code.verificationURL.absoluteString))",
            "and enter the code \(Printable.sanitize(code.userCode)).",
        ]
        if let complete = code.verificationURLComplete {
            lines.append("With the code filled in: \(Printable.sanitize(complete.absoluteString))")
        }
        lines += picture(code)
        lines.append(
            "The code expires in \(minutes) \(minutes == 1 ? "minute" : "minutes"). Enter it only if you started this.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Black on white whatever the terminal's colours are: scanners look for dark on light.
    private func picture(_ code: MSALDeviceCode) -> [String] {
        guard drawsPicture, let picture = QRCode((code.verificationURLComplete ?? code.verificationURL).absoluteString)
        else { return [] }
        let lines = usesASCII ? picture.asciiLines() : picture.halfBlockLines()
        return lines.map { "\u{1B}[30;47m\($0)\u{1B}[0m" }
    }
}
