/// How far macOS' platform single sign-on is set up (MSAL for macOS, `MSALPlatformSSOStatus`).
public enum MSALPlatformSSOStatus: UInt, Sendable, CaseIterable {
    case notEnabled = 0
    case enabledNotRegistered = 1
    case enabledAndRegistered = 2
    case registrationNeedsRepair = 3
}
