/// What one rule for ID tokens says of this one (OpenID Connect Core §3.1.3.7). An addition of this library.
public struct MSALIDTokenVerdict: Sendable, Equatable {
    /// What came of a rule.
    public enum Outcome: String, Sendable {
        /// The token keeps it.
        case met
        /// The token breaks it.
        case failed
        /// Out of the ordinary, but no reason to refuse the token.
        case warned
        /// Nothing to check it against.
        case notChecked
    }

    /// The rule's name for a person, as in "Signature".
    public let rule: String
    /// What came of it.
    public let outcome: Outcome
    /// Why, in a sentence.
    public let explanation: String

    /// As it was judged.
    public init(rule: String, outcome: Outcome, explanation: String) {
        self.rule = rule
        self.outcome = outcome
        self.explanation = explanation
    }
}
