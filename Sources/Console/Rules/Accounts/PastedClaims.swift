import Diagnosis
import Foundation
import MSAL

package struct PastedClaims: Sendable, Equatable {
    package var token: MSALDecodedToken
    /// The checks, without those that need signing keys until the token is verified.
    package var verdicts: [MSALIDTokenVerdict]

    /// Why the text can't be read as a token. The sentences contain nothing of the text.
    package struct Rejection: Error, Sendable, Equatable {
        package var reason: String
    }

    package init(_ text: String, at now: Date) throws(Rejection) {
        let text = Explainer.stripped(text).filter { !$0.isWhitespace }
        let explanation = Explainer.explain(token: text, now: now)
        guard let token = MSALDecodedToken(text) else {
            throw Rejection(
                reason: explanation?.summary
                    ?? "This is not a JSON Web Token. An opaque token can be read only by its API.")
        }
        self.token = token
        verdicts =
            [Self.unverified]
            + (explanation?.findings ?? []).map { finding in
                MSALIDTokenVerdict(
                    rule: finding.subject, outcome: finding.verdict.outcome, explanation: finding.sentences)
            }
    }

    /// Takes the verdicts of a verification. A single one says why the issuer's keys can't be used.
    mutating func receive(_ new: [MSALIDTokenVerdict]) {
        if new.count == 1 { verdicts = new + verdicts.dropFirst() }
        if new.count > 1 { verdicts = new }
    }

    private static let unverified = MSALIDTokenVerdict(
        rule: "Signature", outcome: .skipped, explanation: "The authority's keys weren't requested.")
}
