/// Whether an identity broker may be used (MSAL for iOS and macOS, `MSALBrokeredAvailability`).
public enum MSALBrokeredAvailability: Int, Sendable, CaseIterable {
    /// One that is there may be used.
    case auto = 0
    /// No broker is asked.
    case none = 1
}
