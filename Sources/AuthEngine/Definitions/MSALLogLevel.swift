/// How much is logged (MSAL for iOS and macOS, `MSALLogLevel`).
public enum MSALLogLevel: Int, Sendable, CaseIterable {
    case nothing = 0
    case error = 1
    case warning = 2
    case info = 3
    case verbose = 4

    /// The one that logs most.
    public static let last: MSALLogLevel = .verbose
}
