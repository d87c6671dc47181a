import Foundation

/// What the cache has for one account, without the tokens themselves. Not in MSAL for iOS and macOS.
public struct MSALCachedTokens: Sendable, Equatable {
    /// When the access token that lasts longest ends; `nil`: there is none.
    public let expiresOn: Date?
    /// Whether there is a refresh token that this application may try, its own or its family's.
    public let canRenew: Bool
    /// Whether all there is came from a sign-in of another application of the family.
    public let isFromOtherApplication: Bool

    /// As the cache has it.
    public init(expiresOn: Date?, canRenew: Bool, isFromOtherApplication: Bool) {
        self.expiresOn = expiresOn
        self.canRenew = canRenew
        self.isFromOtherApplication = isFromOtherApplication
    }
}
