import Foundation

// Notifications posted to `NotificationCenter.default` during an interactive sign-in (MSAL for iOS and macOS,
// `MSALPublicClientStatusNotifications.h`). Swift code uses the members of `NSNotification.Name`; all six are also
// available as strings.

/// The name of the notification that the sign-in page is opening. `userInfo`: `url`.
public let MSALWebAuthDidStartLoadNotification: String! = "MSALWebAuthDidStartLoadNotification"
/// The name of the notification that the browser opened the page. `userInfo`: `url`.
public let MSALWebAuthDidFinishLoadNotification: String! = "MSALWebAuthDidFinishLoadNotification"
/// The name of the notification that the sign-in ended without a response. `userInfo`: `error`.
public let MSALWebAuthDidFailNotification: String! = "MSALWebAuthDidFailNotification"
/// The name of the notification that the browser returned. `userInfo`: `url`, without the query, which may contain a
/// code.
public let MSALWebAuthDidCompleteNotification: String! = "MSALWebAuthDidCompleteNotification"
/// The name of the notification that a broker handles the sign-in.
public let MSALWebAuthWillSwitchToBrokerApp: String! = "MSALWebAuthWillSwitchToBrokerApp"
/// The name of the notification that a broker responded. `userInfo`: `response`.
public let MSALWebAuthDidReceiveResponseFromBroker: String! = "MSALWebAuthDidReceiveResponseFromBroker"

extension NSNotification.Name {
    /// A notification that the sign-in page is opening. `userInfo`: `url`.
    public static let MSALWebAuthDidStartLoad = NSNotification.Name(MSALWebAuthDidStartLoadNotification)
    /// A notification that the browser opened the page. `userInfo`: `url`.
    public static let MSALWebAuthDidFinishLoad = NSNotification.Name(MSALWebAuthDidFinishLoadNotification)
    /// A notification that the sign-in ended without a response. `userInfo`: `error`.
    public static let MSALWebAuthDidFail = NSNotification.Name(MSALWebAuthDidFailNotification)
    /// A notification that the browser returned. `userInfo`: `url`, without the query, which may contain a code.
    public static let MSALWebAuthDidComplete = NSNotification.Name(MSALWebAuthDidCompleteNotification)
}
