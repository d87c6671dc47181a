import Foundation

/// How to show the sign-in page (MSAL for iOS and macOS, `MSALWebviewParameters`).
///
/// On Linux the page opens in the system's browser.
open class MSALWebviewParameters: NSObject, NSCopying {
    /// The presenter of the page. Has no effect on Linux; see ``MSALPresenter``.
    open var parentViewController: any MSALPresenter

    /// The style of presentation. Has no effect on Linux; it lets code that sets it compile.
    open var presentationStyle: MSALPresentationStyle = .automatic

    /// The web view to use. On Linux only the types that use the system's browser work.
    open var webviewType: MSALWebviewType = .default

    /// Whether to sign in without using or keeping a browser session (default: `false`).
    ///
    /// Opens a private window in browsers that support it. Because others don't, the request also asks for credentials
    /// (`prompt=login`), unless ``MSALInteractiveTokenParameters/promptType`` is set.
    open var prefersEphemeralWebBrowserSession = false

    /// Opens the page instead of the system's browser. Not in MSAL for iOS and macOS.
    ///
    /// Return when the page is open; don't wait for the user. An error thrown here doesn't stop the sign-in, because
    /// the user can still open the URL by hand. The flow's events report the error.
    open var openURLHandler: (@Sendable (URL) async throws -> Void)?

    /// Whether the user pastes the final URL (``MSALPublicClientApplication/handlePastedResponse(_:)``), so that a taken
    /// port doesn't end the sign-in (default: `false`). Not in MSAL for iOS and macOS.
    open var expectsPaste = false

    /// Lends the terminal to a browser that runs in one, such as w3m, lynx or links. Not in MSAL for iOS and macOS.
    ///
    /// The function must release the terminal, await `browsing`, and take the terminal back. `browsing` ends when the
    /// browser exits or the authorization response arrives. Without this function the library doesn't start such
    /// browsers, because they would draw over the program's output.
    open var terminalLender: (@Sendable (_ browsing: @Sendable () async -> Void) async -> Void)?

    /// Creates parameters with ``MSALTerminal`` as the presenter. Not in MSAL for iOS and macOS.
    public override convenience init() { self.init(authPresentationViewController: MSALTerminal.shared) }

    /// Creates parameters with a presenter.
    public init(authPresentationViewController parentViewController: any MSALPresenter) {
        self.parentViewController = parentViewController
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALWebviewParameters(authPresentationViewController: parentViewController)
        copy.presentationStyle = presentationStyle
        copy.webviewType = webviewType
        copy.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
        copy.openURLHandler = openURLHandler
        copy.expectsPaste = expectsPaste
        copy.terminalLender = terminalLender
        return copy
    }

    /// A copy of the current values. A subclass whose `copy()` returns another class is used as is.
    var snapshot: MSALWebviewParameters { copy() as? MSALWebviewParameters ?? self }
}

/// The presenter of a sign-in page, in place of a view controller. Not in MSAL for iOS and macOS.
///
/// On Linux the page opens in the system's browser, so a presenter has no effect. Code that passes one compiles.
/// Conform your own view controllers, or use ``MSALTerminal``.
public protocol MSALPresenter: AnyObject {}

/// Any presenter (MSAL for iOS and macOS, `MSALViewController`). Has no effect on Linux; it lets code that names it
/// compile.
public typealias MSALViewController = any MSALPresenter

/// The presenter for a program that has none of its own. Not in MSAL for iOS and macOS.
public final class MSALTerminal: NSObject, MSALPresenter, Sendable {
    /// The shared presenter.
    public static let shared = MSALTerminal()

    public override init() {}
}
