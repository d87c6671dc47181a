import Foundation

/// A user's consent to a client, and how the user signed in. Codes and refresh tokens refer to a grant.
struct Grant: Sendable, Equatable {
    var personID: String
    var tenantID: String
    var clientID: String
    /// The scopes with consent.
    var scopes: [RequestedScope]
    var authenticatedAt: Date
    /// The `sid` claim, which identifies the browser session.
    var sessionID: String
    /// The authentication methods (RFC 8176).
    var methods = ["pwd"]
    /// The user flow of the sign-in.
    var policy: String?
    var claims = RequestedClaims()
}

/// An issued authorization code. The table's key is the digest of the code, so the code itself isn't stored.
struct CodeGrant: Sendable, Equatable {
    var grant: Grant
    var redirectURI: String
    var codeChallenge: String
    var nonce: String?
    var expiry: Date
    /// The token family of a redeemed code, which is revoked if the code is reused (RFC 6749 §4.1.2).
    var redeemedFamilyID: String?
}

/// The refresh tokens of one sign-in (RFC 9700 §4.14.2).
///
/// A token is `<family identifier>.<random>`. A known family with another random part identifies a used token, so that
/// used tokens needn't be stored.
struct RefreshTokenFamily: Sendable, Equatable {
    var grant: Grant
    var currentDigest: String
    var expiry: Date
}
