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
        var homeAccountID: String
        var tenantID: String?
        var authority: Authority

        /// The rest makes no difference to the one who is looked for among a few.
        func hash(into hasher: inout Hasher) {
            hasher.combine(homeAccountID)
            hasher.combine(scopes.count)
        }
    }

    struct Answer: Sendable {
        var result: MSALResult
        /// Of the store before it was asked.
        var stamp: CredentialStamp
        /// From when until when, by the clock, the cache would give the same answer.
        var good: Range<Date>
    }

    /// More accounts than a program gets tokens for in turns; each answer holds the tokens of one.
    private static let most = 256
    private let answers = Locked<[Question: Answer]>([:])

    package init() {}

    var count: Int { answers.withLock { $0.count } }

    /// `nil`, and the answer is forgotten, when it is not the cache's any more.
    func answer(to question: Question, stamp: CredentialStamp, now: Date) -> MSALResult? {
        answers.withLock { answers in
            guard let answer = answers[question] else { return nil }
            guard answer.stamp == stamp, answer.good.contains(now) else {
                answers[question] = nil
                return nil
            }
            return answer.result
        }
    }

    func remember(_ answer: Answer, to question: Question) {
        answers.withLock { answers in
            if answers.count >= Self.most { answers = [:] }
            answers[question] = answer
        }
    }
}

extension RememberedTokens.Question {
    /// `nil` for a call that the cache alone does not answer, or whose steps somebody follows.
    init?(_ parameters: MSALSilentTokenParameters, authority: Authority) {
        guard !parameters.forceRefresh, parameters.claimsRequest == nil, parameters.flowEventHandler == nil,
            parameters.extraQueryParameters?.isEmpty ?? true,
            parameters.authenticationScheme?.scheme ?? .bearer == .bearer, let account = parameters.account,
            let homeAccountID = account.identifier
        else { return nil }
        self.init(
            scopes: parameters.scopes, homeAccountID: homeAccountID, tenantID: account.homeAccountId?.tenantId,
            authority: parameters.authority?.value ?? authority)
    }
}
