import Foundation

/// Information that an identity broker has about this device (MSAL for iOS and macOS, `MSALDeviceInformation`).
public final class MSALDeviceInformation: NSObject, Sendable {
    /// Whether several users share the device.
    public let deviceMode: MSALDeviceMode
    /// The sign-in method that the device's administrator prefers.
    public let configuredPreferredAuthMethod: MSALPreferredAuthMethod
    /// Whether the single sign-on extension of macOS or iOS is installed. Always `false` on Linux.
    public let hasAADSSOExtension: Bool
    /// The state of platform single sign-on.
    public let platformSSOStatus: MSALPlatformSSOStatus

    /// The key of the broker's version, a `String`, in ``extraDeviceInformation``. Not in MSAL for iOS and macOS.
    public static let brokerVersionKey = "linuxBrokerVersion"

    private let brokerVersion: String?

    /// Creates the information about a single-user device. `brokerVersion` is `nil` without a broker.
    init(brokerVersion: String? = nil) {
        self.brokerVersion = brokerVersion
        deviceMode = .default
        configuredPreferredAuthMethod = .none
        hasAADSSOExtension = false
        platformSSOStatus = .notEnabled
    }

    /// Further information from the broker. Empty without one.
    public var extraDeviceInformation: [AnyHashable: Any] {
        brokerVersion.map { [Self.brokerVersionKey: $0] } ?? [:]
    }
}

/// The registration of this device with an organisation (MSAL for iOS and macOS, `MSALWPJMetaData`).
public final class MSALWPJMetaData: NSObject, Sendable {
    /// Creates the registration of an unregistered device.
    override init() {}

    /// The registration, by the keys `MSAL_PRIMARY_REGISTRATION_…`. Empty for an unregistered device.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}
