import Foundation
import OAuthCore

/// Everything that one token response adds to the cache.
package struct TokenGrant: Sendable, Equatable {
    package struct AccessToken: Sendable, Equatable {
        package var secret: Secret
        package var tokenType: String
        package var scopes: Scopes
        package var expiresOn: Date
        package var extendedExpiresOn: Date?
        package var refreshOn: Date?
        /// The thumbprint of the key it is bound to; `nil` for a bearer token.
        package var keyID: String?

        package var kind: CredentialKey.Kind { keyID == nil ? .accessToken : .boundAccessToken }
    }

    package struct Account: Sendable, Equatable {
        /// The object ID in the tenant, or the subject.
        package var localAccountID: String
        package var username: String
        package var name: String?
        package var givenName: String?
        package var familyName: String?
        /// As the server sent it, for other applications that share the cache.
        package var clientInfo: String?
        /// ``entraType`` or ``openIDType``.
        package var authorityType: String

        /// Further usernames that the response gives, by which the account is found as well.
        package var otherUsernames: [String] = []

        package static let entraType = "MSSTS"
        package static let openIDType = "Other"
    }

    package var homeAccountID: String
    package var environment: String
    package var realm: String
    package var clientID: String
    package var accessToken: AccessToken?
    package var refreshToken: Secret?
    /// What the refresh token can ask for (RFC 6749 §6); `nil` at Entra, where it is good for every resource.
    package var refreshScopes: Scopes?
    /// The refresh token that this response replaces; `nil` after a sign-in.
    package var spentRefreshToken: Secret?
    package var familyID: String?
    package var idToken: Secret?
    package var account: Account
    /// The address of the authority that was asked, as the caller named it.
    package var requestedAuthority: String
    package var receivedAt: Date
}
