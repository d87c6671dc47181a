/// Whether an identity broker may be used (MSAL for iOS and macOS, `MSALBrokeredAvailability`).
public enum MSALBrokeredAvailability: Int, Sendable, CaseIterable {
    /// One that is there may be asked, by applications that it serves.
    case auto = 0
    /// No broker is asked.
    case none = 1
}
