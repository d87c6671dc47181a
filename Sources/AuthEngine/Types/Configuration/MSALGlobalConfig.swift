import Foundation
import Locks

/// Settings of the whole process, to be made before the first application (MSAL for iOS and macOS,
/// `MSALGlobalConfig`). They may be read and written from any thread.
public final class MSALGlobalConfig: NSObject {
    /// How requests are sent.
    public static let httpConfig = MSALHTTPConfig()
    /// What authorities are told of requests.
    public static let telemetryConfig = MSALTelemetryConfig()
    /// Where log lines go, and which.
    public static let loggerConfig = MSALLoggerConfig()

    private struct Settings {
        var brokerAvailability: MSALBrokeredAvailability = .auto
        var shouldRequestBoundAppRefreshTokens = false
    }

    private static let settings = Locked(Settings())

    /// Whether an identity broker may be used. ``MSALBrokeredAvailability/auto`` unless set.
    public class var brokerAvailability: MSALBrokeredAvailability {
        get { settings.withLock { $0.brokerAvailability } }
        set { settings.withLock { $0.brokerAvailability = newValue } }
    }

    /// Whether to ask for refresh tokens that only this device can use. `false` unless set.
    ///
    /// They need a key in a device's security hardware. This library asks for plain ones; it is kept so that code which
    /// sets it compiles.
    public class var shouldRequestBoundAppRefreshTokens: Bool {
        get { settings.withLock { $0.shouldRequestBoundAppRefreshTokens } }
        set { settings.withLock { $0.shouldRequestBoundAppRefreshTokens = newValue } }
    }
}
