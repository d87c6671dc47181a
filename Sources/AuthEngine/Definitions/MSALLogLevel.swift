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
