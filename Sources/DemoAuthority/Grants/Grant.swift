import Foundation

/// A user's consent to a client, and how the user signed in. Codes and refresh tokens refer to a grant.
struct Grant: Sendable, Equatable {
    var personID: String
    var tenantID: String
    var clientID: String
    /// Only those that were agreed to.
    var scopes: [RequestedScope]
    var authenticatedAt: Date
    /// The `sid` claim: which browser session it came from.
    var sessionID: String
    /// The authentication methods (RFC 8176).
    var methods = ["pwd"]
    /// The user flow they signed in by.
    var policy: String?
    var claims = RequestedClaims()
}

/// An authorization code that was given out. The table's key is the digest of the code, so the code itself is not kept.
struct CodeGrant: Sendable, Equatable {
    var grant: Grant
    var redirectURI: String
    var codeChallenge: String
    var nonce: String?
    var expiry: Date
    /// Set when the code was redeemed: the family of tokens to revoke should the code come again (RFC 6749 §4.1.2).
    var redeemedFamilyID: String?
}

/// All refresh tokens that came from one sign-in (RFC 9700 §4.14.2).
///
/// A token is `<family identifier>.<random>`: a known family with any other random part is a token that was already
/// exchanged, so old tokens need not be remembered to be recognised.
struct RefreshTokenFamily: Sendable, Equatable {
    var grant: Grant
    var currentDigest: String
    var expiry: Date
}
