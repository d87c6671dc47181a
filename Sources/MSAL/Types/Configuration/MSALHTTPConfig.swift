import Foundation
import KeyturnSystem

/// Settings for HTTP requests (MSAL for iOS and macOS, `MSALHTTPConfig`).
///
/// One object serves the whole process. Each application reads it once, when it is created. Thread-safe.
public final class MSALHTTPConfig: NSObject, Sendable {
    package struct Settings: Sendable, Equatable {
        package var retryCount = 1
        package var retryInterval: TimeInterval = 0.5
        package var chosenTimeout: TimeInterval?
        package var timeoutIntervalForRequest: TimeInterval { chosenTimeout ?? 300 }
        package var certificateAuthorityFile: String?
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// The number of retries when the authority is unreachable or reports a server error (default: 1).
    public var retryCount: Int {
        get { snapshot.retryCount }
        set { settings.withLock { $0.retryCount = newValue } }
    }

    /// Seconds to wait before a retry (default: 0.5).
    public var retryInterval: TimeInterval {
        get { snapshot.retryInterval }
        set { settings.withLock { $0.retryInterval = newValue } }
    }

    /// Seconds to wait for a response (default: 300). Until an application sets it, a request also ends after 10 s without a
    /// byte of a document or a registration, and after 30 s of another response.
    public var timeoutIntervalForRequest: TimeInterval {
        get { snapshot.timeoutIntervalForRequest }
        set { settings.withLock { $0.chosenTimeout = newValue } }
    }

    /// A PEM file of certificate authorities to trust instead of the system's. Not in MSAL for iOS and macOS.
    public var certificateAuthorityFile: String? {
        get { snapshot.certificateAuthorityFile }
        set { settings.withLock { $0.certificateAuthorityFile = newValue } }
    }

    /// Hears of the slow requests of the current task. Not in MSAL for iOS and macOS.
    @TaskLocal public static var slowRequests: SlowRequests?

    /// Seconds to wait for a response, for applications that the current task creates. Replaces ``timeoutIntervalForRequest``. Not in
    /// MSAL for iOS and macOS.
    @TaskLocal public static var requestTimeout: TimeInterval?

    /// A listener for slow requests. Not in MSAL for iOS and macOS.
    public final class SlowRequests: Sendable {
        /// Tells the listener what a request waits for.
        public let tell: @Sendable (String) -> Void

        /// - Parameter tell: Gets a sentence about each request that takes longer than two seconds, for example "Waiting for
        ///   login.contoso.example to send a document, 10 s of silence at most."
        public init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }
    }

    static let slowRequest = Duration.seconds(2)
}
