import Foundation
import OAuthCore

/// The records of one account that a client can use.
package struct AccountCredentials: Sendable {
    package let records: [CredentialRecord]
    package let client: String

    package var metadata: CredentialRecord? { records.metadata(client: client) }

    package var isSignedOut: Bool { metadata?.signInState == .signedOut }

    /// The access token that covers these scopes (docs/upstream-behaviour.md §4.5) and is bound to this key and for
    /// this API. Of several under different aliases of the authority, the latest.
    /// - Parameter impliesEmail: as for ``Scopes/missing(from:impliesEmail:)``.
    package func accessToken(
        realm: String, environments: [String], scopes: Scopes, impliesEmail: Bool, keyID: String? = nil,
        audience: String? = nil
    ) -> CachedAccessToken? {
        records.lazy.filter { record in
            record.key.client == client && record.key.realm == realm && environments.contains(record.key.environment)
        }.compactMap(CachedAccessToken.init).filter { token in
            token.keyID == keyID && token.audience == audience
                && scopes.missing(from: token.scopes, impliesEmail: impliesEmail).isEmpty
        }.max { $0.cachedAt < $1.cachedAt }
    }

    /// The scopes of all access tokens, also expired ones: those of a refresh token that lists none.
    package func accessTokenScopes(environments: [String]) -> Scopes {
        ownAccessTokens(environments: environments).reduce(into: []) { $0 = $0.union($1.scopes) }
    }

    /// Without those of managed servers, which other authorities issued.
    func ownAccessTokens(environments: [String]) -> [CachedAccessToken] {
        records.compactMap(CachedAccessToken.init).filter {
            $0.key.client == client && environments.contains($0.key.environment)
                && !$0.key.realm.hasPrefix(TokenGrant.AccessToken.otherRealm)
        }
    }

    package func idToken(realm: String, environments: [String]) -> Secret? {
        records.first { record in
            record.key.kind == .idToken && record.key.client == client && record.key.realm == realm
                && environments.contains(record.key.environment)
        }?.members["secret"]?.string.map(Secret.init)
    }

    /// The refresh tokens in the order to try them: the client's own, then its family's, without duplicates. Of several
    /// under different aliases of the authority, only the newest, because the others are already redeemed.
    package func refreshTokens(environments: [String]) -> [CachedRefreshToken] {
        let tokens = records.compactMap(CachedRefreshToken.init).filter { environments.contains($0.key.environment) }
        let own = tokens.filter { $0.key.client == client }.newest
        let family = familyMembership(environments: environments).familyID
        let shared = tokens.filter { $0.familyID == family && $0.key.client == family && $0.secret != own?.secret }
            .newest
        return [own, shared].compactMap(\.self)
    }

    /// When the sign-in ends at the latest, if the authority ever said so.
    var signInExpiry: MSALSignInExpiry? {
        records.first { $0.key.kind == .refreshToken && $0.key.client == client }.flatMap(CachedRefreshToken.init)
            .flatMap { MSALSignInExpiry(of: $0, metadata) }
    }

    /// Also needs the records without an account.
    package func familyMembership(environments: [String]) -> FamilyMembership {
        let known = records.first { record in
            record.key.kind == .appMetadata && record.key.client == client
                && environments.contains(record.key.environment)
        }
        guard let family = known?.members["family_id"]?.string else { return .unknown }
        return family.isEmpty ? .outside : .member(of: family)
    }

    package func contains(_ token: Secret) -> Bool {
        records.contains { $0.members["secret"]?.string == token.reveal() }
    }
}

extension [CachedRefreshToken] {
    /// The newest token, or the first of those without a time.
    fileprivate var newest: CachedRefreshToken? {
        reduce(nil) { best, token in best.map { $0.writtenAt >= token.writtenAt } == true ? best : token }
    }
}

/// Membership in a family of clients that share refresh tokens (docs/upstream-behaviour.md §4.7).
package enum FamilyMembership: Sendable, Equatable {
    case unknown
    case outside
    case member(of: String)

    /// The only family so far, which a client with unknown membership tries.
    package static let first = "1"

    package var familyID: String? {
        switch self {
        case .unknown: Self.first
        case .outside: nil
        case .member(let family): family
        }
    }
}

package struct CachedAccessToken: Sendable, Equatable {
    package let key: CredentialKey
    package let secret: Secret
    private let target: String
    package let expiresOn: Date
    package let cachedAt: Date
    package let refreshOn: Date?
    /// The thumbprint of the key that the token is bound to, or `nil` for a bearer token.
    package let keyID: String?
    /// The API that the token was requested for, or `nil` without the parameter `audience`.
    package let audience: String?
    /// The end of the extended lifetime, during which the token is usable if the authority is unavailable.
    package let extendedExpiresOn: Date?

    package init?(_ record: CredentialRecord) {
        guard [.accessToken, .boundAccessToken].contains(record.key.kind),
            let secret = record.members["secret"]?.string, !secret.isEmpty,
            let expiresOn = record.date("expires_on"), let cachedAt = record.date("cached_at")
        else { return nil }
        let keyID = record.members["kid"]?.string
        guard (record.key.kind == .boundAccessToken) == (keyID != nil) else { return nil }
        key = record.key
        self.secret = Secret(secret)
        target = record.members["target"]?.string ?? ""
        self.expiresOn = expiresOn
        self.cachedAt = cachedAt
        refreshOn = record.date("refresh_on")
        self.keyID = keyID
        audience = record.members["audience"]?.string
        extendedExpiresOn = record.date("extended_expires_on")
    }

    /// Parsed when needed, because lists don't.
    package var scopes: Scopes { Scopes(parsing: target) }

    /// When the token needs a refresh: `buffer` seconds before it expires. Some authorities issue tokens for five minutes, which
    /// would need one at once: half of their life is enough, but at least a minute, in which to use the token.
    package func refreshDate(buffer: Double) -> Date {
        expiresOn.addingTimeInterval(-min(buffer, max(60, expiresOn.timeIntervalSince(cachedAt) / 2)))
    }

    /// Whether the token needs no refresh yet. A token from the future is rejected, because the clock was set back.
    package func isUsable(at now: Date, buffer: Double) -> Bool {
        refreshDate(buffer: buffer) >= now && cachedAt <= now
    }
}

package struct CachedRefreshToken: Sendable, Equatable {
    package let key: CredentialKey
    package let secret: Secret
    package let familyID: String?
    package let writtenAt: Date
    let target: String?
    package let originalNonce: String?

    /// When it expires at the latest, if the server said so.
    let expiresOn: Date?

    static let (nonceMember, expiryMember) = ("nonce", "expires_on")

    package init?(_ record: CredentialRecord) {
        guard record.key.kind == .refreshToken, let secret = record.members["secret"]?.string, !secret.isEmpty else {
            return nil
        }
        key = record.key
        self.secret = Secret(secret)
        familyID = record.members["family_id"]?.string
        writtenAt = record.date("last_modification_time") ?? .distantPast
        target = record.members["target"]?.string
        originalNonce = record.members[Self.nonceMember]?.string
        expiresOn = record.date(Self.expiryMember)
    }

    package var scopes: Scopes? { target.map { Scopes(parsing: $0) } }
}

extension CredentialRecord {
    /// A time, stored in decimal seconds since 1970 (unified cache schema). `nil` outside the years 1970 to 9999.
    func date(_ member: String) -> Date? {
        members[member]?.double.flatMap { seconds in
            0...Date.unstatedExpiry.timeIntervalSince1970 ~= seconds ? Date(timeIntervalSince1970: seconds) : nil
        }
    }
}
