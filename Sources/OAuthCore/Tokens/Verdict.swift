package struct Verdict: Sendable, Equatable {
    /// The rules. Raw values are display names.
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
        case passed
        case failed
        /// Unusual, but no reason to reject the token.
        case warning
        case skipped
    }

    package var rule: Rule
    package var outcome: Outcome
    package var explanation: String

    package init(_ rule: Rule, _ outcome: Outcome, _ explanation: String) {
        (self.rule, self.outcome, self.explanation) = (rule, outcome, explanation)
    }
}

extension Sequence where Element == Verdict {
    /// The failed verdicts. Any of them rejects the sign-in.
    package var failures: [Verdict] { filter { $0.outcome == .failed } }
}
