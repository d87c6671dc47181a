/// The form of a pasted authorization response. Not in MSAL for iOS and macOS.
public enum MSALPastedResponse: Sendable, Equatable {
    /// A complete URL whose `state` matches the sign-in that waits.
    case address
    /// An authorization code without its URL. Its issuer couldn't be checked, and its `state` only if it was pasted with the
    /// code; the code verifier and the nonce still bind it to the sign-in.
    case bareCode
}
