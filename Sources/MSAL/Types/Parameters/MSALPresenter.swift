import Foundation

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
