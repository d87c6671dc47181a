import Foundation
import OAuthCore

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

    package func isUsableInOutage(at now: Date) -> Bool {
        extendedExpiresOn.map { $0 > now } ?? false && cachedAt <= now
    }

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
