/// Whom a device belongs to (MSAL for iOS and macOS, `MSALDeviceMode`).
public enum MSALDeviceMode: UInt, Sendable, CaseIterable {
    /// To one person.
    case `default` = 0
    /// To whoever is on shift: only a broker can tell that.
    case shared = 1
}
