/// What became of an account's tokens at the authority during a sign-out (RFC 7009). Not in MSAL for iOS and macOS.
///
/// Access tokens can stay valid until they expire, because most APIs don't ask the authority.
public enum MSALRevocation: Sendable {
    /// The authority accepts the refresh token no longer.
    case revoked
    /// The authority has no revocation endpoint.
    case notOffered
    /// No token of this application was in the cache.
    case nothingToRevoke
    /// The authority couldn't be reached, or rejected the request. The tokens are removed from the cache all the same.
    case failed(MSALAuthenticationError)
}
