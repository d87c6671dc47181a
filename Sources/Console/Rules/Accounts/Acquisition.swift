import Foundation
import MSAL

/// The result of a successful token request, without the tokens themselves.
package struct Acquisition: Sendable, Equatable {
    package var account: AccountSummary
    package var authority: String
    package var scopes: [String]
    package var expiresOn: Date?
    package var isFromCache: Bool
    package var correlationID: String
    package var idToken, accessToken: ClaimsContent
    package var verdicts: [MSALIDTokenVerdict]
}

package enum ClaimsContent: Sendable, Equatable {
    case absent, decoded(MSALDecodedToken)
    /// A token that only its resource can read, with its length in characters.
    case opaque(length: Int)
}
