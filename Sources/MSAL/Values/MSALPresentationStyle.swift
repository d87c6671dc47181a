/// The style in which iOS shows a page over a window, with the raw values of UIKit's `UIModalPresentationStyle`. Not in
/// MSAL for iOS and macOS.
///
/// Has no effect on Linux, where the page opens in the system's browser. It lets code that sets
/// ``MSALWebviewParameters/presentationStyle`` compile.
public enum MSALPresentationStyle: Int, Sendable {
    /// The system's choice. The default.
    case automatic = -2
    /// No presentation.
    case none = -1
    /// Over the whole screen.
    case fullScreen = 0
    /// A page over the window.
    case pageSheet = 1
    /// A form over the window.
    case formSheet = 2
    /// Over the presenter.
    case currentContext = 3
    /// A style that the program defines.
    case custom = 4
    /// Over the whole screen, with the views beneath still visible.
    case overFullScreen = 5
    /// Over the presenter, with the views beneath still visible.
    case overCurrentContext = 6
    /// In a popover.
    case popover = 7
}
