import AuthEngine
import Foundation

/// What a successful sign-in or silent acquisition gave, without the tokens themselves.
package struct Acquisition: Sendable, Equatable {
    package var account: AccountSummary
    package var authority: String
    package var scopes: [String]
    package var expiresOn: Date?
    package var isFromCache: Bool
    package var correlationID: String
    package var idToken: TokenContent
    package var accessToken: TokenContent
    package var verdicts: [MSALIDTokenVerdict]

    package init(
        account: AccountSummary, authority: String, scopes: [String], expiresOn: Date?, isFromCache: Bool,
        correlationID: String, idToken: TokenContent, accessToken: TokenContent, verdicts: [MSALIDTokenVerdict]
    ) {
        self.account = account
        self.authority = authority
        self.scopes = scopes
        self.expiresOn = expiresOn
        self.isFromCache = isFromCache
        self.correlationID = correlationID
        self.idToken = idToken
        self.accessToken = accessToken
        self.verdicts = verdicts
    }
}

/// What can be read in a token.
package enum TokenContent: Sendable, Equatable {
    /// There is no such token.
    case absent
    /// There is one, and only the one it is meant for can read it. How long it is, in characters.
    case opaque(length: Int)
    case decoded(MSALDecodedToken)
}
