import Foundation
import MSAL
import TerminalUI

@testable import Console

let devicePage = "https://login.contoso.example/device"

/// A code with a page that fills it in.
let shownCode: ShownDeviceCode = {
    let page = URL(string: devicePage) ?? URL(fileURLWithPath: "/")
    let complete = URL(string: "\(devicePage)?user_code=BCDF-GHJK")
    return ShownDeviceCode(
        code: MSALDeviceCode(
            userCode: "BCDF-GHJK", verificationURL: page, verificationURLComplete: complete,
            expiresOn: testTime.addingTimeInterval(900), interval: 5, message: "Open it."),
        picture: QRCode("\(devicePage)?user_code=BCDF-GHJK"))
}()

/// The events of a device code sign-in up to the wait for the user.
let deviceEvents = [
    event(.findAuthority, .started),
    event(.findAuthority, .succeeded, "Found the issuer https://login.contoso.example/common/v2.0", after: 0.32),
    event(.showCode, .started, "Requesting a code from login.contoso.example", after: 0.32),
    event(.showCode, .succeeded, "Enter the code at \(devicePage)", after: 0.5),
    event(.waitForCode, .started, "Waiting for the code to be entered", after: 0.5),
]
