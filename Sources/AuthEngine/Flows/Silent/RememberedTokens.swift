import Foundation
import Locks
import OAuthCore

/// The last answers from the cache, each to be given again while nothing in the store changed and the token stays good.
///
/// To look a token up takes opening its row, reading it and waiting for a thread of the pool: ten times as long as to see
/// that the store is as it was.
package final class RememberedTokens: Sendable {
    /// What a silent call asks, as far as it decides the answer.
    struct Question: Hashable, Sendable {
        var scopes: [String]
        /// Its home tenant is a part of it.
        var homeAccountID: String
        var authority: Authority

        /// The rest makes no difference to the one who is looked for among a few.
        func hash(into hasher: inout Hasher) {
            hasher.combine(homeAccountID)
            hasher.combine(scopes.count)
        }
    }

    struct Answer: Sendable {
        var contents: MSALResultContents
        /// Of the store before it was asked.
        var stamp: CredentialStamp
        /// From when until when, by the clock, the cache would give the same answer.
        var good: Range<Date>
    }

    /// What was asked for lately, and before that. When the first has its share, it becomes the second, and what nobody
    /// asked for since then is forgotten.
    private struct Generations: Sendable {
        var recent: [Question: Answer] = [:]
        var earlier: [Question: Answer] = [:]
        /// Of ``recent``.
        var weight = 0
        /// Most questions are for the same scopes: they share one array, which then is in the processor's cache.
        var scopes: [String] = []
    }

    /// Of bytes that may be kept: over a hundred thousand accounts with tokens of the usual size.
    package static let mostBytes = 512 << 20
    /// About what an answer takes apart from its tokens.
    private static let bytesOfAnswer = 2048
    private let share: Int
    private let answers = Locked(Generations())

    package init(mostBytes: Int = mostBytes) {
        share = mostBytes / 2
    }

    var count: Int { answers.withLock { $0.recent.count + $0.earlier.count } }

    /// `nil`, and the answer is forgotten, when it is not the cache's any more.
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
    /// `nil` for a call that the cache alone does not answer, or whose steps somebody follows.
    init?(_ parameters: MSALSilentTokenParameters, authority: Authority) {
        guard !parameters.forceRefresh, parameters.claimsRequest == nil, parameters.flowEventHandler == nil,
            parameters.extraQueryParameters?.isEmpty ?? true,
            parameters.authenticationScheme?.scheme ?? .bearer == .bearer,
            let homeAccountID = parameters.account?.identifier
        else { return nil }
        self.init(
            scopes: parameters.scopes, homeAccountID: homeAccountID,
            authority: parameters.authority?.value ?? authority)
    }
}
