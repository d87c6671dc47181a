import Foundation

/// The state of an account's cached tokens, without the tokens. Not in MSAL for iOS and macOS.
public struct MSALCachedTokens: Sendable, Equatable {
    /// The latest expiry of the access tokens, or `nil` without one.
    public let expiresOn: Date?
    /// Whether a refresh token of this application or its client family is cached.
    public let canRenew: Bool
    /// Whether all tokens come from other applications of the client family.
    public let isFromOtherApplication: Bool

    /// Creates the state of an account's tokens.
    public init(expiresOn: Date?, canRenew: Bool, isFromOtherApplication: Bool) {
        self.expiresOn = expiresOn
        self.canRenew = canRenew
        self.isFromOtherApplication = isFromOtherApplication
    }
}
