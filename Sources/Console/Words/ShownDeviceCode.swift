import AuthEngine
import TerminalUI

/// A device code, and its address as a picture where one can be made.
package struct ShownDeviceCode: Sendable, Equatable {
    package var code: MSALDeviceCode
    package var picture: QRCode?

    package init(_ code: MSALDeviceCode, picture: QRCode?) {
        self.code = code
        self.picture = picture
    }
}
