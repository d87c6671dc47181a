import Foundation
import KeyturnSystem
import OAuthCore

/// The last cached results, each valid while the store is unchanged and the token hasn't expired.
///
/// Ten times faster than reading the cache, which needs a pool thread and decrypts a row.
package final class RememberedTokens: Sendable {
    /// The parameters of a silent request that determine its result.
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
        /// The approximate size in bytes.
        var weight = 0
    }

    /// The limit in bytes: enough for some thousand accounts with tokens of the usual size.
    package static let mostBytes = 16 << 20
    /// The approximate size of a result without its tokens.
    private static let bytesOfEntry = 2048
    private let mostBytes: Int
    private let entries = Locked(Entries())

    package init(mostBytes: Int = mostBytes) {
        self.mostBytes = mostBytes
    }

    var count: Int { entries.withLock { $0.known.count } }

    /// Returns a remembered result, or `nil` and forgets it when it is outdated.
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
            parameters.challenge == nil,
            parameters.flowEventHandler == nil,
            parameters.extraQueryParameters?.isEmpty ?? true,
            parameters.authenticationScheme?.scheme ?? .bearer == .bearer,
            let homeAccountID = parameters.account?.identifier
        else { return nil }
        self.init(
            scopes: parameters.scopes, homeAccountID: homeAccountID,
            authority: parameters.authority?.value ?? authority)
    }
}
