/// How the person would rather sign in (MSAL for iOS and macOS, `MSALPreferredAuthMethod`).
public enum MSALPreferredAuthMethod: UInt, Sendable, CaseIterable {
    /// The authority decides.
    case none = 0
    /// With a QR code and a PIN.
    case QRPIN = 1
}
