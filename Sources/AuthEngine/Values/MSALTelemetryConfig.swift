import Foundation
import Locks

/// What is told of each request to whoever collects telemetry (MSAL for iOS and macOS, `MSALTelemetryConfig`).
///
/// One object serves the whole process, from any thread.
public final class MSALTelemetryConfig: NSObject, Sendable {
    package struct Settings: Sendable {
        package var piiEnabled = false
        package var notifyOnFailureOnly = false
        package var callback: Callback?
    }

    /// Unchecked, because upstream's property takes any block, and a property cannot be `@preconcurrency` in effect: the
    /// block's owner answers for it, as upstream.
    package struct Callback: @unchecked Sendable {
        package let tell: MSALTelemetryCallback
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// Whether what names the person may be told. `false` unless set.
    public var piiEnabled: Bool {
        get { snapshot.piiEnabled }
        set { settings.withLock { $0.piiEnabled = newValue } }
    }

    /// Whether only failed requests are told. `false` unless set.
    public var notifyOnFailureOnly: Bool {
        get { snapshot.notifyOnFailureOnly }
        set { settings.withLock { $0.notifyOnFailureOnly = newValue } }
    }

    /// Told the facts of each request, from any thread. Nothing is told unless set.
    public var telemetryCallback: MSALTelemetryCallback? {
        get { snapshot.callback?.tell }
        set {
            let callback = newValue.map(Callback.init)
            settings.withLock { $0.callback = callback }
        }
    }
}

/// The facts of one request. It may be called from any thread.
public typealias MSALTelemetryCallback = ([String: String]) -> Void
