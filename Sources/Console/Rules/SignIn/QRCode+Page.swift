import Diagnosis
import Foundation
import TerminalUI

extension QRCode {
    /// The QR code of a page; nil for a page on this computer, which another device can't open.
    package init?(page: URL) {
        guard !TypedAuthority(page.absoluteString).isThisComputer else { return nil }
        self.init(page.absoluteString)
    }
}
