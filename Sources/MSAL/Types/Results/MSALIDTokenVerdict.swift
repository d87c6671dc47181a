/// The result of one validation rule for an ID token (OpenID Connect Core §3.1.3.7). Not in MSAL for iOS and macOS.
public struct MSALIDTokenVerdict: Sendable, Equatable {
    /// The outcome of a rule.
    public enum Outcome: String, Sendable {
        /// The token passed the check.
        case passed
        /// The token failed the check.
        case failed
        /// The value is unusual, but no reason to reject the token.
        case warning
        /// The check was skipped because there was nothing to compare with.
        case skipped
    }

    /// The display name of the rule, such as "Signature".
    public let rule: String
    /// The outcome of the rule.
    public let outcome: Outcome
    /// The reason for the outcome, in one sentence.
    public let explanation: String

    /// Creates a result.
    public init(rule: String, outcome: Outcome, explanation: String) {
        (self.rule, self.outcome, self.explanation) = (rule, outcome, explanation)
    }
}

/// The cached ID token of an account. Not in MSAL for iOS and macOS.
public struct MSALStoredIDToken: Sendable, Equatable {
    /// The encoded token. It may have expired.
    public let idToken: String
    /// The result of each validation rule, from the cached documents of the authority. Empty without such documents.
    public let verdicts: [MSALIDTokenVerdict]
}
