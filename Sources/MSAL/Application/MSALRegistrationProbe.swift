import Foundation

/// The authority's response to an authorization request with `prompt=none` (OpenID Connect Core §3.1.2.1), for
/// diagnosis. Not in MSAL for iOS and macOS.
public struct MSALRegistrationProbe: Sendable {
    /// The authorization request.
    public let request: URL
    /// The status of the response.
    public let status: Int
    /// The target of a redirect.
    public let location: String?
    /// The page or document. Untrusted text.
    public let body: String

    /// Creates a response.
    public init(request: URL, status: Int, location: String? = nil, body: String = "") {
        self.request = request
        self.status = status
        self.location = location
        self.body = body
    }
}
