import Foundation

/// What a broker knows of this device (MSAL for iOS and macOS, `MSALDeviceInformation`).
public final class MSALDeviceInformation: NSObject, Sendable {
    public let deviceMode: MSALDeviceMode
    public let configuredPreferredAuthMethod: MSALPreferredAuthMethod
    /// Whether macOS' or iOS' single sign-on extension is installed: never here.
    public let hasAADSSOExtension: Bool
    public let platformSSOStatus: MSALPlatformSSOStatus

    /// A device of one person, without a broker.
    override init() {
        deviceMode = .default
        configuredPreferredAuthMethod = .none
        hasAADSSOExtension = false
        platformSSOStatus = .notEnabled
    }

    /// What else a broker tells; empty without one.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}
