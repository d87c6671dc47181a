import Foundation

/// What an authority answers just now, for a person who looks for what is wrong. An addition of this library.
public struct MSALAuthorityProbe: Sendable {
    /// Where people sign in, as configured.
    public let url: URL
    /// Who the authority says it is. It may hold `{tenantid}`. `nil`: that was not found out.
    public let issuer: String?
    /// How many of its public keys can verify ID tokens; `nil` when they were not had.
    public let signingKeyCount: Int?
    /// Whether it offers sign-in with a code (RFC 8628).
    public let offersDeviceCode: Bool
    /// Whether it names a page that signs out of the browser.
    public let offersSignOut: Bool
    /// The ways to bind a code to the one who asked for it (RFC 7636); `nil` when it does not say.
    public let codeChallengeMethods: [String]?
    /// The optional endpoints that its discovery document names in a way that cannot be used, as the document calls them.
    public let unusableEndpoints: [String]
    /// The authority's clock, as its last answer told; `nil` when none came, or none with a date.
    public let authorityDate: Date?
    /// This machine's clock when that answer came.
    public let localDate: Date
    /// Seconds that all of it took.
    public let duration: TimeInterval
    /// What a sign-in would fail with here; `nil` when it would go on.
    public let failure: MSALAuthenticationError?

    /// As it was found.
    public init(
        url: URL, issuer: String? = nil, signingKeyCount: Int? = nil, offersDeviceCode: Bool = false,
        offersSignOut: Bool = false, codeChallengeMethods: [String]? = nil, unusableEndpoints: [String] = [],
        authorityDate: Date? = nil, localDate: Date, duration: TimeInterval = 0, failure: MSALAuthenticationError? = nil
    ) {
        self.url = url
        self.issuer = issuer
        self.signingKeyCount = signingKeyCount
        self.offersDeviceCode = offersDeviceCode
        self.offersSignOut = offersSignOut
        self.codeChallengeMethods = codeChallengeMethods
        self.unusableEndpoints = unusableEndpoints
        self.authorityDate = authorityDate
        self.localDate = localDate
        self.duration = duration
        self.failure = failure
    }
}
