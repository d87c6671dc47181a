/// How a page is shown over a window on iOS, with the cases and raw values of UIKit's `UIModalPresentationStyle`. An
/// addition of this library.
///
/// It has no effect here, where the page opens in the system's browser: it lets code that sets
/// ``MSALWebviewParameters/presentationStyle`` compile.
public enum MSALPresentationStyle: Int, Sendable {
    /// The system chooses. The default.
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
    /// As the program draws it.
    case custom = 4
    /// Over the whole screen, with what is beneath left in place.
    case overFullScreen = 5
    /// Over the presenter, with what is beneath left in place.
    case overCurrentContext = 6
    /// In a popover.
    case popover = 7
}
