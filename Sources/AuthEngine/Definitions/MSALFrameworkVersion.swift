/// The release of MSAL for iOS and macOS whose API this library has: what ``MSALPublicClientApplication/sdkVersion``
/// answers.
public let MSAL__Framework_VersionString: String = "2.13.0"

/// The same as a number, for code that asks whether it is at least some version.
public let MSAL__Framework_VersionNumber: Double = 2.13
