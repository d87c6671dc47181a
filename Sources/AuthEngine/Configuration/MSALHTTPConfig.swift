import Foundation
import Synchronization

/// How requests are sent, for the whole process (MSAL for iOS and macOS, `MSALHTTPConfig`).
public final class MSALHTTPConfig: NSObject, Sendable {
    package struct Settings: Sendable, Equatable {
        package var timeoutIntervalForRequest: TimeInterval = 300
        package var certificateAuthorityFile: String?
    }

    private let settings = Mutex(Settings())

    package var snapshot: Settings { settings.withLock { $0 } }

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
