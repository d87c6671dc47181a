import Foundation
import Locks
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

    struct Answer: Sendable {
        var contents: MSALResultContents
        /// The stamp of the store before it was read.
        var stamp: CredentialStamp
        /// The period in which the cache would return the same result.
        var good: Range<Date>
    }

    /// Two generations of results. When the recent one is full it becomes the earlier one, and unused older results are
    /// dropped.
    private struct Generations: Sendable {
        var recent: [Question: Answer] = [:]
        var earlier: [Question: Answer] = [:]
        /// The weight of ``recent``.
        var weight = 0
        /// The most common scopes, as one shared array for better memory locality.
        var scopes: [String] = []
    }

    /// The limit in bytes: enough for over a hundred thousand accounts with tokens of the usual size.
    package static let mostBytes = 512 << 20
    /// The approximate size of a result without its tokens.
    private static let bytesOfAnswer = 2048
    private let share: Int
    private let answers = Locked(Generations())

    package init(mostBytes: Int = mostBytes) {
        share = mostBytes / 2
    }

    var count: Int { answers.withLock { $0.recent.count + $0.earlier.count } }

    /// Returns a remembered result, or `nil` and forgets it when it is outdated.
    func answer(to question: Question, stamp: CredentialStamp, now: Date) -> MSALResultContents? {
        answers.withLock { answers in
            let answer: Answer
            if let recent = answers.recent[question] {
                answer = recent
            } else if let earlier = answers.earlier.removeValue(forKey: question) {
                keep(earlier, to: question, in: &answers)
                answer = earlier
            } else {
                return nil
            }
            guard answer.stamp == stamp, answer.good.contains(now) else {
                if answers.recent.removeValue(forKey: question) != nil { answers.weight -= weight(answer) }
                return nil
            }
            return answer.contents
        }
    }

    func remember(_ answer: Answer, to question: Question) {
        answers.withLock { keep(answer, to: question, in: &$0) }
    }

    private func keep(_ answer: Answer, to question: Question, in answers: inout Generations) {
        answers.earlier[question] = nil
        let weight = weight(answer)
        if let replaced = answers.recent.removeValue(forKey: question) { answers.weight -= self.weight(replaced) }
        if answers.weight + weight > share {
            answers = Generations(earlier: answers.recent)
        }
        var question = question
        if question.scopes == answers.scopes {
            question.scopes = answers.scopes
        } else {
            answers.scopes = question.scopes
        }
        answers.recent[question] = answer
        answers.weight += weight
    }

    private func weight(_ answer: Answer) -> Int { Self.bytesOfAnswer + answer.contents.weight }
}

extension RememberedTokens.Question {
    /// Returns `nil` for a request that needs more than the cache or whose steps are reported.
    init?(_ parameters: MSALSilentTokenParameters, authority: Authority) {
        guard !parameters.forceRefresh, parameters.claimsRequest == nil, parameters.challenge == nil,
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
