import Foundation
import KeyturnSystem

/// Settings for telemetry (MSAL for iOS and macOS, `MSALTelemetryConfig`).
///
/// One object serves the whole process. Thread-safe.
public final class MSALTelemetryConfig: NSObject, Sendable {
    package struct Settings: Sendable {
        package var piiEnabled = false
        package var notifyOnFailureOnly = false
        package var callback: Callback?
    }

    /// `@unchecked Sendable` because MSAL accepts any closure here; its owner must make it thread-safe.
    package struct Callback: @unchecked Sendable {
        package let tell: MSALTelemetryCallback
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// Whether telemetry may contain personal data (default: `false`).
    public var piiEnabled: Bool {
        get { snapshot.piiEnabled }
        set { settings.withLock { $0.piiEnabled = newValue } }
    }

    /// Whether to report only failed requests (default: `false`).
    public var notifyOnFailureOnly: Bool {
        get { snapshot.notifyOnFailureOnly }
        set { settings.withLock { $0.notifyOnFailureOnly = newValue } }
    }

    /// A callback that receives the facts of each request, on any thread. Without one nothing is reported.
    public var telemetryCallback: MSALTelemetryCallback? {
        get { snapshot.callback?.tell }
        set {
            let callback = newValue.map(Callback.init)
            settings.withLock { $0.callback = callback }
        }
    }
}

/// A callback with the facts of one request. Called from any thread.
public typealias MSALTelemetryCallback = ([String: String]) -> Void
