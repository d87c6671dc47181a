import Foundation

/// How this device is registered with an organisation (MSAL for iOS and macOS, `MSALWPJMetaData`).
public final class MSALWPJMetaData: NSObject, Sendable {
    /// A device that is not registered.
    override init() {}

    /// By the keys `MSAL_PRIMARY_REGISTRATION_…`; empty for a device that is not registered.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}
