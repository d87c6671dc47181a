/// How a token proves who may use it (MSAL for iOS and macOS, `MSALAuthScheme`).
public enum MSALAuthScheme: UInt, Sendable, CaseIterable {
    /// Whoever has it may use it (RFC 6750).
    case bearer = 0
    /// It is bound to a key, and every use is signed with it.
    case pop = 1
}
