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
