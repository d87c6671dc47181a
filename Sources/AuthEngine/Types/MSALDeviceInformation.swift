import Foundation

/// What a broker knows of this device (MSAL for iOS and macOS, `MSALDeviceInformation`).
public final class MSALDeviceInformation: NSObject, Sendable {
    /// Whether people share the device.
    public let deviceMode: MSALDeviceMode
    /// How its administrator wants people to sign in.
    public let configuredPreferredAuthMethod: MSALPreferredAuthMethod
    /// Whether macOS' or iOS' single sign-on extension is installed: never here.
    public let hasAADSSOExtension: Bool
    /// How far the sign-in of the platform is set up.
    public let platformSSOStatus: MSALPlatformSSOStatus

    /// The broker's version, a `String`, in ``extraDeviceInformation``. An addition of this library.
    public static let brokerVersionKey = "linuxBrokerVersion"

    private let brokerVersion: String?

    /// A device of one person; `nil` without a broker.
    init(brokerVersion: String? = nil) {
        self.brokerVersion = brokerVersion
        deviceMode = .default
        configuredPreferredAuthMethod = .none
        hasAADSSOExtension = false
        platformSSOStatus = .notEnabled
    }

    /// What else a broker tells; empty without one.
    public var extraDeviceInformation: [AnyHashable: Any] {
        brokerVersion.map { [Self.brokerVersionKey: $0] } ?? [:]
    }
}

/// How this device is registered with an organisation (MSAL for iOS and macOS, `MSALWPJMetaData`).
public final class MSALWPJMetaData: NSObject, Sendable {
    /// A device that is not registered.
    override init() {}

    /// By the keys `MSAL_PRIMARY_REGISTRATION_…`; empty for a device that is not registered.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}
