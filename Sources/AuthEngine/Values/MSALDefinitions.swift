/// Whose accounts may sign in (MSAL for iOS and macOS, `MSALAudienceType`).
public enum MSALAudienceType: Int, Sendable, CaseIterable {
    /// `common`: work, school and personal accounts.
    case azureADAndPersonalMicrosoftAccountAudience = 0
    /// `organizations`: work and school accounts.
    case azureADMultipleOrgsAudience = 1
    /// One tenant, which has to be named.
    case azureADMyOrgOnlyAudience = 2
    /// `consumers`: personal accounts.
    case personalMicrosoftAccountAudience = 3
}

/// Which web view shows the sign-in page (MSAL for iOS and macOS, `MSALWebviewType`).
///
/// A terminal has the system's browser alone: a request for one of the last two fails with
/// ``MSALInternalError/internalErrorInvalidParameter``. Their raw values are those of iOS.
public enum MSALWebviewType: Int, Sendable, CaseIterable {
    /// The system's browser.
    case `default` = 0
    /// The system's browser, whose session the person may already be signed in to.
    case authenticationSession = 1
    /// Apple's: requests that ask for it fail.
    case safariViewController = 2
    /// Apple's: requests that ask for it fail.
    case wkWebView = 3
}

/// Whether an identity broker may be used (MSAL for iOS and macOS, `MSALBrokeredAvailability`).
public enum MSALBrokeredAvailability: Int, Sendable, CaseIterable {
    /// One that is there may be asked, by applications that it serves.
    case auto = 0
    /// No broker is asked.
    case none = 1
}

/// Whether one request goes to the session's identity broker. Not in MSAL for iOS and macOS.
public enum MSALBrokerPreference: Sendable, Hashable, CaseIterable {
    /// As the application's configuration says; without a broker the sign-in goes on with the browser.
    case asConfigured
    /// To a broker first, whatever the configuration says; without one the sign-in goes on with the browser.
    case first
    /// To a broker alone: without one the request fails with ``MSALInternalError/internalBrokerNotAvailable``.
    case only
    /// To none.
    case never
}

/// How the person would rather sign in (MSAL for iOS and macOS, `MSALPreferredAuthMethod`).
public enum MSALPreferredAuthMethod: UInt, Sendable, CaseIterable {
    /// The authority decides.
    case none = 0
    /// With a QR code and a PIN.
    case QRPIN = 1
}

/// Which of macOS' broker services a request may use (MSAL for macOS, `MSALXpcMode`).
public enum MSALXpcMode: UInt, Sendable, CaseIterable {
    /// Never.
    case disabled = 0
    /// Beside the single sign-on extension.
    case ssoExtCompanion = 1
    /// In place of an extension that fails.
    case ssoExtBackup = 2
    /// Before the extension.
    case primary = 3
}

/// How far macOS' platform single sign-on is set up (MSAL for macOS, `MSALPlatformSSOStatus`).
public enum MSALPlatformSSOStatus: UInt, Sendable, CaseIterable {
    /// The device has none.
    case notEnabled = 0
    /// It is set up, and the device not registered with it.
    case enabledNotRegistered = 1
    /// It is set up, and the device registered.
    case enabledAndRegistered = 2
    /// It is set up, and the registration no longer holds.
    case registrationNeedsRepair = 3
}

/// Whom a device belongs to (MSAL for iOS and macOS, `MSALDeviceMode`).
public enum MSALDeviceMode: UInt, Sendable, CaseIterable {
    /// To one person.
    case `default` = 0
    /// To whoever is on shift: only a broker can tell that.
    case shared = 1
}

/// What became of an address that was handed to another process of the same user. Not in MSAL for iOS and macOS.
public enum MSALHandOverOutcome: String, Sendable, CaseIterable {
    /// The sign-in that waited for it goes on with it.
    case taken
    /// The sign-in had its answer already: an address counts once.
    case alreadyTaken
    /// Sign-ins wait for the address, but not with this `state`: it belongs to one that is over, or to nobody.
    case otherSignIn
    /// Sign-ins wait, all of them at other addresses.
    case otherAddress
    /// A process that waits did not answer in time. When it is only stopped, it gets the address as it goes on.
    case noAnswer
    /// No process of this user waits for the address.
    case nobodyWaits
}

/// The release of MSAL for iOS and macOS whose API this library has: what ``MSALPublicClientApplication/sdkVersion``
/// answers.
public let MSAL__Framework_VersionString: String = "2.13.0"

/// The same as a number, for code that asks whether it is at least some version.
public let MSAL__Framework_VersionNumber: Double = 2.13
