import Foundation
import KeyturnSystem

/// Settings of the whole process. Set them before creating the first application (MSAL for iOS and macOS,
/// `MSALGlobalConfig`).
///
/// Thread-safe.
public final class MSALGlobalConfig: NSObject {
    /// Settings for HTTP requests.
    public static let httpConfig = MSALHTTPConfig()
    /// Settings for the telemetry sent to authorities.
    public static let telemetryConfig = MSALTelemetryConfig()
    /// Settings for log messages.
    public static let loggerConfig = MSALLoggerConfig()

    private struct Settings {
        var brokerAvailability: MSALBrokeredAvailability = .auto
        var shouldRequestBoundAppRefreshTokens = false
    }

    private static let settings = Locked(Settings())

    /// Whether the library may use an identity broker (default: ``MSALBrokeredAvailability/auto``).
    public class var brokerAvailability: MSALBrokeredAvailability {
        get { settings.withLock { $0.brokerAvailability } }
        set { settings.withLock { $0.brokerAvailability = newValue } }
    }

    /// Whether to request refresh tokens that only this device can use (default: `false`).
    ///
    /// Has no effect, because such tokens need a key in the device's security hardware. It exists so that code written
    /// for iOS and macOS compiles.
    public class var shouldRequestBoundAppRefreshTokens: Bool {
        get { settings.withLock { $0.shouldRequestBoundAppRefreshTokens } }
        set { settings.withLock { $0.shouldRequestBoundAppRefreshTokens = newValue } }
    }
}

/// The additional places to empty when all accounts are wiped (MSAL for iOS and macOS,
/// `MSALWipeCacheForAllAccountsConfig`).
public final class MSALWipeCacheForAllAccountsConfig: NSObject {
    /// Returns the keychain locations of Microsoft's other products. Always empty on Linux.
    @discardableResult
    public class func additionalPartnerLocations() -> [String: [AnyHashable: Any]] { [:] }
}
