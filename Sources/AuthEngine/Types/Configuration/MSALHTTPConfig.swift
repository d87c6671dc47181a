import Foundation
import Locks

/// How requests are sent (MSAL for iOS and macOS, `MSALHTTPConfig`).
///
/// One object serves the whole process, from any thread.
public final class MSALHTTPConfig: NSObject, Sendable {
    package struct Settings: Sendable, Equatable {
        package var retryCount = 1
        package var retryInterval: TimeInterval = 0.5
        package var timeoutIntervalForRequest: TimeInterval = 300
        package var certificateAuthorityFile: String?
    }

    private let settings = Locked(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

    package override init() {}

    /// How often a request is sent again when the authority is in trouble or cannot be reached. 1 unless set.
    public var retryCount: Int {
        get { snapshot.retryCount }
        set { settings.withLock { $0.retryCount = newValue } }
    }

    /// Seconds to wait before it is sent again. 0.5 unless set.
    public var retryInterval: TimeInterval {
        get { snapshot.retryInterval }
        set { settings.withLock { $0.retryInterval = newValue } }
    }

    /// Seconds until a request without an answer is given up. 300 unless set.
    public var timeoutIntervalForRequest: TimeInterval {
        get { snapshot.timeoutIntervalForRequest }
        set { settings.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// A PEM file of certificate authorities to trust instead of the system's. An addition of this library.
    public var certificateAuthorityFile: String? {
        get { snapshot.certificateAuthorityFile }
        set { settings.withLock { $0.certificateAuthorityFile = newValue } }
    }
}
