import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

/// What the silent requests of one application share: requests in progress, remembered results and throttling.
package final class SilentRequests: Sendable {
    let running = SharedWork<SilentRequest, TokenOutcome>()
    let remembered = RememberedTokens()
    private let throttling = Locked(Throttling())
    private let lastAuthority = Locked<Authority?>(nil)

    package init() {}

    /// The authority as one value for consecutive accounts of a tenant, because each remembered result has it.
    func shared(_ authority: Authority) -> Authority {
        lastAuthority.withLock { last in
            if let last, last == authority { return last }
            last = authority
            return authority
        }
    }

    func throttling<Value>(_ work: (inout Throttling) -> Value) -> Value { throttling.withLock { work(&$0) } }
}

/// The last cached results, each valid while the store is unchanged and the token hasn't expired. Ten times faster than reading
/// the cache, which needs a pool thread and decrypts a row.
package final class RememberedTokens: Sendable {
    struct Question: Hashable, Sendable {
        var scopes: [String]
        /// Includes the home tenant.
        var homeAccountID: String
        var authority: Authority

        /// Hashes only what distinguishes most questions; equality does the rest.
        func hash(into hasher: inout Hasher) {
            hasher.combine(homeAccountID)
            hasher.combine(scopes.count)
        }
    }

    struct Entry: Sendable {
        var contents: MSALResultContents
        /// The stamp of the store before it was read.
        var stamp: CredentialStamp
        /// The period in which the cache would return the same result.
        var good: Range<Date>
    }

    private struct Entries: Sendable {
        var known: [Question: Entry] = [:]
        var weight = 0
    }

    /// The limit in bytes: enough for some thousand accounts with tokens of the usual size.
    package static let mostBytes = 16 << 20
    /// The approximate size of a result without its tokens.
    private static let bytesOfEntry = 2048
    private let mostBytes: Int
    private let entries = Locked(Entries())

    package init(mostBytes: Int = mostBytes) { self.mostBytes = mostBytes }

    var count: Int { entries.withLock { $0.known.count } }

    func contents(for question: Question, stamp: CredentialStamp, now: Date) -> MSALResultContents? {
        entries.withLock { entries in
            guard let entry = entries.known[question] else { return nil }
            guard entry.stamp == stamp, entry.good.contains(now) else {
                forget(question, in: &entries)
                return nil
            }
            return entry.contents
        }
    }

    /// Remembers a result. At the limit, forgets all others: each costs one look-up in the cache.
    func remember(_ entry: Entry, for question: Question) {
        entries.withLock { entries in
            forget(question, in: &entries)
            let weight = weight(entry)
            if entries.weight + weight > mostBytes { entries = Entries() }
            entries.known[question] = entry
            entries.weight += weight
        }
    }

    private func forget(_ question: Question, in entries: inout Entries) {
        if let old = entries.known.removeValue(forKey: question) { entries.weight -= weight(old) }
    }

    private func weight(_ entry: Entry) -> Int { Self.bytesOfEntry + entry.contents.weight }
}

extension RememberedTokens.Question {
    /// Returns `nil` for a request that needs more than the cache or whose steps are reported.
    init?(_ parameters: MSALSilentTokenParameters, authority: Authority) {
        guard !parameters.forceRefresh, !parameters.usesOnlyCache, parameters.claimsRequest == nil,
            parameters.challenge == nil, parameters.flowEventHandler == nil,
            parameters.extraQueryParameters?.isEmpty ?? true,
            parameters.authenticationScheme?.scheme ?? .bearer == .bearer,
            let homeAccountID = parameters.account?.identifier
        else { return nil }
        self.init(
            scopes: parameters.scopes, homeAccountID: homeAccountID,
            authority: parameters.authority?.value ?? authority)
    }
}

/// The silent requests that fail at once with the error of an earlier one (docs/upstream-behaviour.md §9.4). Protects a
/// busy authority from programs that retry in a loop.
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
        let isOutage = response.kind == .unavailable || response.retryAfter != nil
        guard isOutage || response.rejection != nil else { return }
        if entries.count >= Self.capacity, let first = entries.min(by: { $0.value.until < $1.value.until })?.key {
            entries[first] = nil
        }
        let outage = min(response.retryAfter ?? Self.outageLifetime, Self.maximumLifetime)
        entries[isOutage ? request.strict : request.full] = Entry(
            failure: failure, since: now,
            until: now.addingTimeInterval(isOutage ? outage : Self.rejectionLifetime), isRejection: !isOutage)
    }

    /// Clears the entries that a sign-in may have resolved.
    package mutating func userSignedIn() { entries = entries.filter { !$0.value.isRejection } }
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
