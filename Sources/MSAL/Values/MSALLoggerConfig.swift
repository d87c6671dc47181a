import Foundation
import KeyturnSystem

/// Settings for log messages (MSAL for iOS and macOS, `MSALLoggerConfig`). Without a callback nothing is logged.
///
/// One object serves the whole process. Thread-safe.
public final class MSALLoggerConfig: NSObject, Sendable {
    package struct Settings: Sendable {
        package var logLevel: MSALLogLevel = .info
        package var logMaskingLevel: MSALLogMaskingLevel = .settingsMaskAllPII
        package var showsServerTexts = false
        package var callback: (@Sendable (MSALLogLevel, String?, Bool) -> Void)?
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// The most detailed level to log (default: ``MSALLogLevel/info``).
    public var logLevel: MSALLogLevel {
        get { snapshot.logLevel }
        set { settings.withLock { $0.logLevel = newValue } }
    }

    /// The data to mask in log messages (default: ``MSALLogMaskingLevel/settingsMaskAllPII``).
    public var logMaskingLevel: MSALLogMaskingLevel {
        get { snapshot.logMaskingLevel }
        set { settings.withLock { $0.logMaskingLevel = newValue } }
    }

    /// Without secrets, but with whatever a server writes, so not for a terminal.
    package var showsServerTexts: Bool {
        get { snapshot.showsServerTexts }
        set { settings.withLock { $0.showsServerTexts = newValue } }
    }

    /// Sets the callback that receives each log message. Only the first call has an effect, so that a library can't
    /// take the log away from its program.
    @preconcurrency
    public func setLogCallback(_ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void) {
        settings.withLock { $0.callback = $0.callback ?? callback }
    }

    /// Returns the callback, or one that does nothing when none is set.
    @discardableResult
    public func callback() -> MSALLogCallback { snapshot.callback ?? { _, _, _ in } }
}

/// A callback with the level, the message, and whether the message contains personal data. Called from any thread.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void

/// The amount of log messages (MSAL for iOS and macOS, `MSALLogLevel`).
public enum MSALLogLevel: Int, Sendable, CaseIterable {
    /// No messages.
    case nothing = 0
    /// Failures.
    case error = 1
    /// Also problems that didn't stop a request.
    case warning = 2
    /// Also the outcome of requests.
    case info = 3
    /// Also every step, for troubleshooting.
    case verbose = 4

    /// The most detailed level.
    public static let last: MSALLogLevel = .verbose
}

/// The data to mask in log messages (MSAL for iOS and macOS, `MSALLogMaskingLevel`).
///
/// Tokens and keys are masked at every level.
public enum MSALLogMaskingLevel: Int, Sendable, CaseIterable {
    /// Mask all personal data: names, mail addresses, usernames and identifiers.
    case settingsMaskAllPII = 0
    /// Mask names, mail addresses and usernames, but not identifiers.
    case settingsMaskEUIIOnly = 1
    /// Mask only secrets.
    case settingsMaskSecretsOnly = 2
}
