/// The cached ID token of an account. Not in MSAL for iOS and macOS.
public struct MSALStoredIDToken: Sendable, Equatable {
    /// The encoded token. It may have expired.
    public let idToken: String
    /// The result of each validation rule, from the cached documents of the authority. Empty without such documents.
    public let verdicts: [MSALIDTokenVerdict]
}
