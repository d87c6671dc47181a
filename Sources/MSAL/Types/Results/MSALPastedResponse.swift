/// The form of a pasted authorization response. Not in MSAL for iOS and macOS.
public enum MSALPastedResponse: Sendable, Equatable {
    /// A complete URL whose `state` matches the sign-in that waits.
    case address
    /// An authorization code alone. Its `state` couldn't be checked; the code verifier and the nonce still bind it to
    /// the sign-in.
    case bareCode
}
