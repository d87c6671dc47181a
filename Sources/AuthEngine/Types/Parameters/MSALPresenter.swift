import Foundation

/// Stands where other systems name the window that a sign-in page opens over (their `UIViewController` and
/// `NSViewController`). An addition of this library.
///
/// Here the page opens in the system's browser, so a presenter does nothing: it lets code that passes one compile. A
/// program's own view controllers may conform; ``MSALTerminal`` is there for the others.
public protocol MSALPresenter: AnyObject {}

/// What upstream calls the system's class of view controllers (MSAL for iOS and macOS, `MSALViewController`). Here it is
/// any presenter, and without effect: it lets code that names it compile.
public typealias MSALViewController = any MSALPresenter

/// The presenter of a program that has none of its own: this terminal. An addition of this library.
public final class MSALTerminal: NSObject, MSALPresenter, Sendable {
    /// The one terminal there is.
    public static let shared = MSALTerminal()

    public override init() {}
}
