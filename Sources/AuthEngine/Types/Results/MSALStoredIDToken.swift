/// The ID token that the cache has for an account. An addition of this library.
public struct MSALStoredIDToken: Sendable, Equatable {
    /// The token as the authority wrote it. It may have expired.
    public let idToken: String
    /// What each rule says of it, by the documents of the authority that are kept; empty when none are.
    public let verdicts: [MSALIDTokenVerdict]
}
