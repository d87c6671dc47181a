/// Which web view shows the sign-in page (MSAL for iOS and macOS, `MSALWebviewType`).
///
/// A terminal has the system's browser alone: a request for one of the last two fails with
/// ``MSALInternalError/internalErrorInvalidParameter``. Their raw values are those of iOS.
public enum MSALWebviewType: Int, Sendable, CaseIterable {
    /// The system's browser.
    case `default` = 0
    /// The system's browser, whose session the person may already be signed in to.
    case authenticationSession = 1
    /// Apple's: requests that ask for it fail.
    case safariViewController = 2
    /// Apple's: requests that ask for it fail.
    case wkWebView = 3
}
