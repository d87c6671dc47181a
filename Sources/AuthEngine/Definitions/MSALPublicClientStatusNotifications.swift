// The names of what is posted to `NotificationCenter.default` around an interactive sign-in (MSAL for iOS and macOS,
// `MSALPublicClientStatusNotifications.h`). They are texts: `Notification.Name(MSALWebAuthDidFailNotification)`.

/// The sign-in page is being opened. `userInfo`: `url`.
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
