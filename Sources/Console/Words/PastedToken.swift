import AuthEngine
import Diagnosis
import Foundation

/// A token from elsewhere, taken apart. Nothing of it is kept that would work as a token, but for its signature.
package struct PastedToken: Sendable, Equatable {
    package var token: MSALDecodedToken
    /// What can be said without the authority's keys.
    package var verdicts: [MSALIDTokenVerdict]

    /// Why a text is no token that can be read, as sentences that hold nothing of it.
    package struct Refusal: Error, Sendable, Equatable {
        package var reason: String
    }

    /// - Parameter now: what its times are held against.
    package init(_ text: String, at now: Date) throws(Refusal) {
        let text = Explainer.stripped(text).filter { !$0.isWhitespace }
        let explanation = Explainer.explain(token: text, now: now)
        guard let token = MSALDecodedToken(text) else {
            throw Refusal(
                reason: explanation?.summary
                    ?? "This is no JSON Web Token. Any other token can only be read by the resource it is for.")
        }
        self.token = token
        verdicts =
            [Self.unverified]
            + (explanation?.findings ?? []).map { finding in
                MSALIDTokenVerdict(
                    rule: finding.subject, outcome: finding.verdict.outcome,
                    explanation: [finding.fact, finding.fix].compactMap { $0 }.joined(separator: " "))
            }
    }

    private static let unverified = MSALIDTokenVerdict(
        rule: "Signature", outcome: .notChecked, explanation: "The authority's keys were not asked for.")
}

extension CheckFinding.Verdict {
    fileprivate var outcome: MSALIDTokenVerdict.Outcome {
        switch self {
        case .good: .met
        case .attention: .warned
        case .wrong: .failed
        case .notChecked: .notChecked
        }
    }
}
