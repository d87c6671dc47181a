import Foundation
import KeyturnCrypto
import OAuthCore

/// The silent requests that fail at once with the error of an earlier one (docs/upstream-behaviour.md §9.4). Protects a
/// busy authority from programs that retry in a loop.
///
/// A value type; callers pass the current time.
package struct Throttling: Sendable {
    /// Seconds for which an error is repeated.
    package static let rejectionLifetime: Double = 120
    /// Seconds without requests to an unavailable authority that sends no `Retry-After`.
    package static let outageLifetime: Double = 60
    /// The longest `Retry-After` that is honoured, in seconds.
    package static let maximumLifetime: Double = 3600
    package static let capacity = 500

    private struct Entry: Sendable {
        var failure: AuthenticationFailure
        var since: Date
        var until: Date
        /// Whether a sign-in clears the entry.
        var isRejection: Bool

        /// Whether the entry is valid. It isn't when the clock was set back.
        func counts(at now: Date) -> Bool { since <= now && now < until }
    }

    private var entries: [RequestThumbprints.Thumbprint: Entry] = [:]

    package init() {}

    /// Returns the error to repeat, or `nil` when the request may be sent.
    package func failure(for request: RequestThumbprints, at now: Date) -> AuthenticationFailure? {
        for thumbprint in [request.strict, request.full] {
            guard let entry = entries[thumbprint], entry.counts(at: now) else { continue }
            guard case .authority(.response(var response)) = entry.failure, !entry.isRejection else {
                return entry.failure
            }
            response.retryAfter = entry.until.timeIntervalSince(now)
            return .authority(.response(response))
        }
        return nil
    }

    package mutating func note(_ failure: AuthenticationFailure, of request: RequestThumbprints, at now: Date) {
        entries = entries.filter { $0.value.counts(at: now) }
        guard case .authority(.response(let response)) = failure else { return }
        if response.kind == .unavailable || response.retryAfter != nil {
            let lifetime = min(response.retryAfter ?? Self.outageLifetime, Self.maximumLifetime)
            add(failure, for: lifetime, isRejection: false, to: request.strict, at: now)
        } else if response.rejection != nil {
            add(failure, for: Self.rejectionLifetime, isRejection: true, to: request.full, at: now)
        }
    }

    /// Clears the entries that a sign-in may have resolved.
    package mutating func userSignedIn() {
        entries = entries.filter { !$0.value.isRejection }
    }

    private mutating func add(
        _ failure: AuthenticationFailure, for lifetime: Double, isRejection: Bool,
        to thumbprint: RequestThumbprints.Thumbprint, at now: Date
    ) {
        if entries.count >= Self.capacity, let first = entries.min(by: { $0.value.until < $1.value.until })?.key {
            entries[first] = nil
        }
        entries[thumbprint] = Entry(
            failure: failure, since: now, until: now.addingTimeInterval(lifetime), isRejection: isRejection)
    }
}

/// Two keys to compare token requests by. Hashed, because they include a refresh token.
package struct RequestThumbprints: Sendable, Equatable {
    package typealias Thumbprint = [UInt8]

    /// Client, refresh token, scopes and endpoint.
    package let strict: Thumbprint
    /// Everything but the grant type.
    package let full: Thumbprint

    package init(_ request: HTTPRequest) {
        let body = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
        func thumbprint(_ isMeant: (String) -> Bool) -> Thumbprint {
            var meant: Parameters = ["endpoint": request.url.absoluteString]
            for pair in body.pairs.sorted(by: { $0.name < $1.name }) where isMeant(pair.name) {
                meant.append(pair.name, pair.value)
            }
            return SHA2.sha256(Array(meant.formEncoded.utf8))
        }
        strict = thumbprint { ["client_id", "refresh_token", "scope"].contains($0) }
        full = thumbprint { $0 != "grant_type" }
    }
}

extension AuthenticationFailure {
    /// Adds the account to a protection policy failure.
    func inSilence(for account: AccountReference) -> AuthenticationFailure {
        if case .authority(.throttled(let earlier)) = self {
            return .authority(.throttled(earlier.inSilence(for: account)))
        }
        guard let rejection, rejection.usualCode.code == .serverProtectionPoliciesRequired else { return self }
        return .authority(
            .protectionPolicyRequired(rejection, homeAccountID: account.homeAccountID, username: account.username))
    }
}
