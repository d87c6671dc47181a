import Foundation

/// How the sign-in page is shown (MSAL for iOS and macOS, `MSALWebviewParameters`).
///
/// Here the page opens in the system's browser; the presenter of other systems is this terminal.
open class MSALWebviewParameters: NSObject {
    /// Opens the page instead of the system's browser. An addition of this library.
    ///
    /// It returns when the page was shown, not when the person is done. Throwing does not end the sign-in: the person
    /// can still open the address by hand, and the flow's events say what was thrown.
    public var openURLHandler: (@Sendable (URL) async throws -> Void)?

    public override init() {}
}
