import OAuthCore

/// The kind of accounts that can sign in (MSAL for iOS and macOS, `MSALAudienceType`).
public enum MSALAudienceType: Int, Sendable, CaseIterable {
    /// `common`: work, school and personal accounts.
    case azureADAndPersonalMicrosoftAccountAudience = 0
    /// `organizations`: work and school accounts.
    case azureADMultipleOrgsAudience = 1
    /// A single tenant, which the authority must name.
    case azureADMyOrgOnlyAudience = 2
    /// `consumers`: personal accounts.
    case personalMicrosoftAccountAudience = 3
}

/// The web view that shows the sign-in page (MSAL for iOS and macOS, `MSALWebviewType`).
///
/// On Linux all of them mean the system's browser: it has no web view for sign-in pages. Raw values are those of iOS.
public enum MSALWebviewType: Int, Sendable, CaseIterable {
    /// The system's browser.
    case `default` = 0
    /// The system's browser, with its existing session.
    case authenticationSession = 1
    /// Apple's Safari view controller. The system's browser shows the page instead, and the log says so.
    case safariViewController = 2
    /// Apple's web view. The system's browser shows the page instead, and the log says so.
    case wkWebView = 3
}

/// Whether the library may use an identity broker (MSAL for iOS and macOS, `MSALBrokeredAvailability`).
public enum MSALBrokeredAvailability: Int, Sendable, CaseIterable {
    /// Use an available broker for applications that it supports.
    case auto = 0
    /// Don't use a broker.
    case none = 1
}

/// Whether one request uses the session's identity broker. Not in MSAL for iOS and macOS.
public enum MSALBrokerPreference: Sendable, Hashable, CaseIterable {
    /// Follow the application's configuration. Without a broker the sign-in uses the browser.
    case asConfigured
    /// Try a broker first, whatever the configuration. Without a broker the sign-in uses the browser.
    case first
    /// Use only a broker. Without one the request fails with ``MSALInternalError/internalBrokerNotAvailable``.
    case only
    /// Don't use a broker.
    case never
}

/// The preferred sign-in method (MSAL for iOS and macOS, `MSALPreferredAuthMethod`).
public enum MSALPreferredAuthMethod: UInt, Sendable, CaseIterable {
    /// The authority decides.
    case none = 0
    /// A QR code and a PIN.
    case QRPIN = 1
}

/// The use of macOS's broker services (MSAL for macOS, `MSALXpcMode`). Has no effect on Linux.
public enum MSALXpcMode: UInt, Sendable, CaseIterable {
    /// Don't use them.
    case disabled = 0
    /// Use them beside the single sign-on extension.
    case ssoExtCompanion = 1
    /// Use them when the extension fails.
    case ssoExtBackup = 2
    /// Use them before the extension.
    case primary = 3
}

/// The state of macOS's platform single sign-on (MSAL for macOS, `MSALPlatformSSOStatus`).
public enum MSALPlatformSSOStatus: UInt, Sendable, CaseIterable {
    /// Not set up. Always the value on Linux.
    case notEnabled = 0
    /// Set up, but the device isn't registered.
    case enabledNotRegistered = 1
    /// Set up, and the device is registered.
    case enabledAndRegistered = 2
    /// Set up, but the registration is no longer valid.
    case registrationNeedsRepair = 3
}

/// Whether a device is shared (MSAL for iOS and macOS, `MSALDeviceMode`).
public enum MSALDeviceMode: UInt, Sendable, CaseIterable {
    /// A device with one user.
    case `default` = 0
    /// A device that several users share, as reported by a broker.
    case shared = 1
}

/// The outcome of passing a URL to another process of the same user. Not in MSAL for iOS and macOS.
public enum MSALHandOverOutcome: String, Sendable, CaseIterable {
    /// The waiting sign-in accepted the URL.
    case delivered
    /// The sign-in already received its response; it accepts only one.
    case alreadyReceived
    /// Sign-ins wait at this redirect URI, but none has this `state`. The URL's sign-in has ended, or never existed.
    case otherSignIn
    /// Sign-ins wait, but at other redirect URIs.
    case otherURL
    /// A waiting process didn't respond in time. If it is only stopped, it receives the URL when it continues.
    case noResponse
    /// No process of this user waits for the URL.
    case noWaitingSignIn
}

/// The release of MSAL for iOS and macOS that this library's API matches, as in
/// ``MSALPublicClientApplication/sdkVersion``.
public let MSAL__Framework_VersionString: String = "2.13.0"

/// The same release as a number, to compare with a minimum version.
public let MSAL__Framework_VersionNumber: Double = 2.13

/// A sovereign cloud of Azure (MSAL for iOS and macOS, `MSALAzureCloudInstance`).
public enum MSALAzureCloudInstance: Int, Sendable, CaseIterable {
    /// The worldwide public cloud.
    case publicCloudInstance = 0
    /// China's cloud.
    case chinaCloudInstance = 1
    /// Germany's former cloud.
    case germanyCloudInstance = 2
    /// The cloud of the United States government.
    case usGovernmentCloudInstance = 3
    /// France's sovereign cloud (Bleu).
    case franceCloudInstance = 4
    /// Germany's sovereign cloud (Delos).
    case delosCloudInstance = 5
    /// The cloud of the government of Singapore.
    case govSGCloudInstance = 6

    var environment: String {
        let cloud: AuthorityRules.Cloud =
            switch self {
            case .publicCloudInstance: .publicCloud
            case .chinaCloudInstance: .china
            case .germanyCloudInstance: .germany
            case .usGovernmentCloudInstance: .usGovernment
            case .franceCloudInstance: .france
            case .delosCloudInstance: .delos
            case .govSGCloudInstance: .singaporeGovernment
            }
        return cloud.rawValue
    }
}

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
