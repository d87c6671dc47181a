import Foundation
import OAuthCore

/// The source of the client secret that some providers hand out to desktop applications, such as Google. Not in MSAL for iOS and
/// macOS.
///
/// Everybody who has the application can read its secret, so it proves nothing (RFC 8252 §8.5): the application stays a public
/// client, and PKCE protects its codes. Only the token endpoint of the configuration's authority gets the secret, and its endpoints
/// for revocation, pushed requests and device codes. It is read once for each request that reaches one of them, never for a cached
/// token.
public enum MSALClientSecret: Sendable {
    /// The first line of a file that only its owner can read.
    case file(URL)
    /// A function that the library calls each time. The library doesn't keep the result. If it throws, the request fails with the
    /// error's `localizedDescription` and `localizedRecoverySuggestion`.
    case provider(@Sendable () async throws -> String)
    /// The token cache, where ``MSALPublicClientApplication/saveClientSecret(_:)`` stores it, encrypted like the tokens.
    case stored

    /// Whether a text can be a client secret: 1 to 1,024 visible ASCII characters and spaces (RFC 6749 appendix A.2). A field for
    /// it can say so before ``MSALPublicClientApplication/saveClientSecret(_:)`` does.
    public static func isValid(_ text: String) -> Bool { ClientSecret.isOne(text) }
}
