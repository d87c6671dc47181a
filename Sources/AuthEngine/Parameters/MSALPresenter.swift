import Foundation

/// Stands where other systems name the window that a sign-in page opens over (their `UIViewController` and
/// `NSViewController`). An addition of this library.
///
/// Here the page opens in the system's browser, so a presenter does nothing: it lets code that passes one compile. A
/// program's own view controllers may conform; ``MSALTerminal`` is there for the others.
public protocol MSALPresenter: AnyObject {}

/// The presenter of a program that has none of its own: this terminal. An addition of this library.
public final class MSALTerminal: NSObject, MSALPresenter, Sendable {
    /// The one terminal there is.
    public static let shared = MSALTerminal()

    public override init() {}
}
