import Foundation
import Locks

/// What is logged, and to whom (MSAL for iOS and macOS, `MSALLoggerConfig`). Nothing is logged without a callback.
///
/// One object serves the whole process, from any thread.
public final class MSALLoggerConfig: NSObject, Sendable {
    package struct Settings: Sendable {
        package var logLevel: MSALLogLevel = .info
        package var logMaskingLevel: MSALLogMaskingLevel = .settingsMaskAllPII
        package var callback: (@Sendable (MSALLogLevel, String?, Bool) -> Void)?
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// ``MSALLogLevel/info`` unless set.
    public var logLevel: MSALLogLevel {
        get { snapshot.logLevel }
        set { settings.withLock { $0.logLevel = newValue } }
    }

    /// ``MSALLogMaskingLevel/settingsMaskAllPII`` unless set.
    public var logMaskingLevel: MSALLogMaskingLevel {
        get { snapshot.logMaskingLevel }
        set { settings.withLock { $0.logMaskingLevel = newValue } }
    }

    /// Says who is told each line. The first one stays: a library cannot take the log away from its program.
    @preconcurrency
    public func setLogCallback(_ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void) {
        settings.withLock { $0.callback = $0.callback ?? callback }
    }

    /// The callback; one that does nothing when none was set.
    @discardableResult
    public func callback() -> MSALLogCallback { snapshot.callback ?? { _, _, _ in } }
}

/// Level, line, whether the line holds something personal. It may be called from any thread.
public typealias MSALLogCallback = (MSALLogLevel, String?, Bool) -> Void

/// How much is logged (MSAL for iOS and macOS, `MSALLogLevel`).
public enum MSALLogLevel: Int, Sendable, CaseIterable {
    /// Nothing is logged.
    case nothing = 0
    /// What failed.
    case error = 1
    /// What went on, though something was wrong.
    case warning = 2
    /// What happened.
    case info = 3
    /// Everything, for whoever looks for a fault.
    case verbose = 4

    /// The one that logs most.
    public static let last: MSALLogLevel = .verbose
}

/// What is masked before it is logged (MSAL for iOS and macOS, `MSALLogMaskingLevel`).
///
/// Tokens and keys are masked at every level.
public enum MSALLogMaskingLevel: Int, Sendable, CaseIterable {
    /// Names of people and accounts are masked.
    case settingsMaskAllPII = 0
    /// What names the person: names, mail addresses, user names. Identifiers are shown.
    case settingsMaskEUIIOnly = 1
    /// Nothing else is masked.
    case settingsMaskSecretsOnly = 2
}
