import Foundation

/// How the sign-in page is shown (MSAL for iOS and macOS, `MSALWebviewParameters`).
///
/// Here the page opens in the system's browser; the presenter of other systems is this terminal.
open class MSALWebviewParameters: NSObject, NSCopying {
    /// Over what the page is shown. It changes nothing here: see ``MSALPresenter``.
    open var parentViewController: any MSALPresenter

    /// How other systems show the page over the presenter. It changes nothing here: it lets code that sets it compile.
    open var presentationStyle: MSALPresentationStyle = .automatic

    /// The web view to use. Only those that are the system's browser can be had in a terminal.
    open var webviewType: MSALWebviewType = .default

    /// Asks for a sign-in that neither uses nor leaves a session of the browser.
    ///
    /// A browser that is known by name opens a private window. Not every one can be told so, so the authority is asked as
    /// well: a request that leaves ``MSALInteractiveTokenParameters/promptType`` alone asks for credentials
    /// (`prompt=login`).
    open var prefersEphemeralWebBrowserSession = false

    /// Opens the page instead of the system's browser. An addition of this library.
    ///
    /// It returns when the page was shown, not when the person is done. Throwing does not end the sign-in: the person
    /// can still open the address by hand, and the flow's events say what was thrown.
    open var openURLHandler: (@Sendable (URL) async throws -> Void)?

    /// Lends this process's terminal to a browser that draws in one, such as w3m, lynx or links. An addition of this
    /// library.
    ///
    /// It is given the browsing to do: it makes the terminal free, awaits the browsing, which ends with the browser or
    /// with the answer that the sign-in waits for, and takes the terminal back. Without it such a browser is not started,
    /// because it would draw over whatever the program shows.
    open var terminalLender: (@Sendable (_ browsing: @Sendable () async -> Void) async -> Void)?

    /// This terminal. An addition of this library: there is no view controller here.
    public override convenience init() {
        self.init(authPresentationViewController: MSALTerminal.shared)
    }

    /// The presenter stands for this terminal.
    public init(authPresentationViewController parentViewController: any MSALPresenter) {
        self.parentViewController = parentViewController
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALWebviewParameters(authPresentationViewController: parentViewController)
        copy.presentationStyle = presentationStyle
        copy.webviewType = webviewType
        copy.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
        copy.openURLHandler = openURLHandler
        copy.terminalLender = terminalLender
        return copy
    }
}

extension MSALWebviewParameters {
    /// What they say now. A subclass whose copies are of another class is taken as it is.
    var snapshot: MSALWebviewParameters { copy() as? MSALWebviewParameters ?? self }
}
