/// What one rule says about an ID token, and why, for the person who has to explain it.
package struct Verdict: Sendable, Equatable {
    /// The raw value is the name shown.
    package enum Rule: String, Sendable, CaseIterable {
        case signature = "Signature"
        case issuer = "Issuer"
        case audience = "Audience"
        case authorizedParty = "Authorized party"
        case subject = "Subject"
        case nonce = "Nonce"
        case expiry = "Expiry"
        case notBefore = "Not before"
        case issuedAt = "Issued at"
        case accessTokenHash = "Access token hash"
        case authenticationTime = "Authentication time"
        case authenticationContext = "Authentication context"
        case clock = "Clock"
    }

    package enum Outcome: String, Sendable, CaseIterable {
        case met
        case failed
        /// Worth knowing, but no reason to refuse the token.
        case warned
        case notChecked
    }

    package var rule: Rule
    package var outcome: Outcome
    package var explanation: String

    package init(_ rule: Rule, _ outcome: Outcome, _ explanation: String) {
        self.rule = rule
        self.outcome = outcome
        self.explanation = explanation
    }
}

extension Sequence where Element == Verdict {
    /// Any of these refuses the sign-in.
    package var failures: [Verdict] { filter { $0.outcome == .failed } }
}
