import AuthEngine
import TerminalUI

/// A device code, with its address as a QR code if one can be made.
package struct ShownDeviceCode: Sendable, Equatable {
    package var code: MSALDeviceCode
    package var picture: QRCode?

    package init(_ code: MSALDeviceCode, picture: QRCode?) {
        self.code = code
        self.picture = picture
    }
}
