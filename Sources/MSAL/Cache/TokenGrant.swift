import Foundation
import OAuthCore

/// The data that a token response adds to the cache.
package struct TokenGrant: Sendable, Equatable {
    package struct AccessToken: Sendable, Equatable {
        package var secret: Secret
        package var tokenType: String
        package var scopes: Scopes
        package var expiresOn: Date
        package var extendedExpiresOn: Date?
        package var refreshOn: Date?
        /// The thumbprint of the key that the token is bound to, or `nil` for a bearer token.
        package var keyID: String?
        /// The API that the token was requested for, at providers that choose it by the parameter `audience`.
        package var audience: String?

        /// Instead of the profile's, for the token of another authority: begins with ``otherRealm``.
        package var realm: String?
        static let otherRealm = "managed-server-"

        package var kind: CredentialKey.Kind { keyID == nil ? .accessToken : .boundAccessToken }
    }

    package var homeAccountID: String
    package var environment: String
    package var clientID: String
    package var accessToken: AccessToken?
    package var refreshToken: Secret?
    /// When the refresh token expires at the latest, if the server says so.
    package var refreshTokenExpiresOn: Date?
    /// The scopes of the refresh token (RFC 6749 §6), or `nil` at Microsoft Entra ID, where it works for every
    /// resource.
    package var refreshScopes: Scopes?
    /// The nonce of the original sign-in, or `nil` if it is unknown.
    package var originalNonce: String?
    /// The refresh token that was redeemed, or `nil` after a sign-in.
    package var spentRefreshToken: Secret?
    package var familyID: String?
    package var idToken: Secret?
    package var profile: CachedAccount.Profile
    /// The server's original text, for other applications that share the cache.
    package var clientInfo: String?
    package var requestedAuthority: String
    package var receivedAt: Date

    /// What is lost if the grant can't be saved.
    var loss: LostTokens {
        guard let spentRefreshToken else { return .signIn }
        return refreshToken ?? spentRefreshToken == spentRefreshToken ? .accessToken : .refreshToken
    }
}
