import TerminalUI

/// A sign-in that waits for the user, as every screen shows it: the URL without indent, the code, a QR code where it helps, the ssh
/// line, the paste field and the other methods.
struct PendingSignIn {
    var progress: FlowProgress
    var method: SignInMethod
    /// The methods that failed before, with the reasons.
    var rejections: [SignInRejection] = []
    var deviceCode: ShownDeviceCode?
    /// The page's address as a QR code, for methods that use another browser.
    var pagePicture: QRCode?
    var paste = PasteLine()
    /// Whether the user can change to another method.
    var offersMethods = true
    /// Whether all steps are shown, not only the current one.
    var showsSteps = true

    /// The QR code to show.
    var picture: QRCode? { deviceCode?.picture ?? (method == .paste ? pagePicture : nil) }

    func steps(_ context: Context) -> StepList {
        StepList(
            steps: progress.steps, method: method, context: context, rejections: rejections, showsAll: showsSteps)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if method == .device {
            DeviceCodeView(pending: self, context: context).draw(on: &surface, in: rect)
        } else {
            FlowView(pending: self, context: context).draw(on: &surface, in: rect)
        }
    }
}
