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
        records.lazy.compactMap(CachedAccessToken.init)
            .filter {
                $0.key.client == client && environments.contains($0.key.environment)
                    && !$0.key.realm.hasPrefix(TokenGrant.AccessToken.otherRealm)
            }
            .reduce(into: []) { $0 = $0.union($1.scopes) }
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
