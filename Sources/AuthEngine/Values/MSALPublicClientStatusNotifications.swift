import Foundation

// The names of what is posted to `NotificationCenter.default` around an interactive sign-in (MSAL for iOS and macOS,
// `MSALPublicClientStatusNotifications.h`). The four that end in "Notification" are members of
// `NSNotification.Name` to Swift; all six are here as texts too.

/// The sign-in page is opening. `userInfo`: `url`.
public let MSALWebAuthDidStartLoadNotification: String! = "MSALWebAuthDidStartLoadNotification"
/// Whoever shows the page has taken it. `userInfo`: `url`.
public let MSALWebAuthDidFinishLoadNotification: String! = "MSALWebAuthDidFinishLoadNotification"
/// The sign-in ended without an answer. `userInfo`: `error`.
public let MSALWebAuthDidFailNotification: String! = "MSALWebAuthDidFailNotification"
/// The browser came back. `userInfo`: `url`, without the answer itself, which may hold a code.
public let MSALWebAuthDidCompleteNotification: String! = "MSALWebAuthDidCompleteNotification"
/// A broker takes over.
public let MSALWebAuthWillSwitchToBrokerApp: String! = "MSALWebAuthWillSwitchToBrokerApp"
/// A broker answered. `userInfo`: `response`.
public let MSALWebAuthDidReceiveResponseFromBroker: String! = "MSALWebAuthDidReceiveResponseFromBroker"

extension NSNotification.Name {
    /// The sign-in page is opening. `userInfo`: `url`.
    public static let MSALWebAuthDidStartLoad = NSNotification.Name(MSALWebAuthDidStartLoadNotification)
    /// The browser has taken the page. `userInfo`: `url`.
    public static let MSALWebAuthDidFinishLoad = NSNotification.Name(MSALWebAuthDidFinishLoadNotification)
    /// The sign-in ended without a response. `userInfo`: `error`.
    public static let MSALWebAuthDidFail = NSNotification.Name(MSALWebAuthDidFailNotification)
    /// The browser came back. `userInfo`: `url`, without its query, which may hold a code.
    public static let MSALWebAuthDidComplete = NSNotification.Name(MSALWebAuthDidCompleteNotification)
}
