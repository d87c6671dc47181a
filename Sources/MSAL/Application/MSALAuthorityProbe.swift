import Foundation

/// The state of an authority, for diagnosis. Not in MSAL for iOS and macOS.
public struct MSALAuthorityProbe: Sendable {
    /// The configured URL of the authority.
    public let url: URL
    /// The issuer that the authority states, which may contain `{tenantid}`. `nil` when it is unknown.
    public let issuer: String?
    /// The number of public keys that can verify ID tokens, or `nil` without a key document.
    public let signingKeyCount: Int?
    /// Whether the authority supports the device authorization grant (RFC 8628).
    public let offersDeviceCode: Bool
    /// Whether the authority has an end-session endpoint.
    public let offersSignOut: Bool
    /// The supported code challenge methods (RFC 7636), or `nil` when the discovery document lists none.
    public let codeChallengeMethods: [String]?
    /// Whether a sign-in requests a refresh token, by the scope `offline_access` or in Google's way.
    public let requestsRefreshToken: Bool
    /// The optional endpoints with an unusable URL, by their names in the discovery document.
    public let unusableEndpoints: [String]
    /// The authority's clock in its last response, or `nil` without a dated response.
    public let authorityDate: Date?
    /// This machine's clock when that response arrived.
    public let localDate: Date
    /// The duration of the whole check, in seconds.
    public let duration: TimeInterval
    /// The error with which a sign-in would fail at this point, or `nil`.
    public let failure: MSALAuthenticationError?

    /// Creates a report.
    public init(
        url: URL, issuer: String? = nil, signingKeyCount: Int? = nil, offersDeviceCode: Bool = false,
        offersSignOut: Bool = false, codeChallengeMethods: [String]? = nil,
        requestsRefreshToken: Bool = true, unusableEndpoints: [String] = [],
        authorityDate: Date? = nil, localDate: Date, duration: TimeInterval = 0, failure: MSALAuthenticationError? = nil
    ) {
        self.url = url
        self.issuer = issuer
        self.signingKeyCount = signingKeyCount
        self.offersDeviceCode = offersDeviceCode
        self.offersSignOut = offersSignOut
        self.codeChallengeMethods = codeChallengeMethods
        self.requestsRefreshToken = requestsRefreshToken
        self.unusableEndpoints = unusableEndpoints
        self.authorityDate = authorityDate
        self.localDate = localDate
        self.duration = duration
        self.failure = failure
    }
}
