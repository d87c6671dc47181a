/// What one rule for ID tokens says of this one (OpenID Connect Core §3.1.3.7). An addition of this library.
public struct MSALIDTokenVerdict: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        case met
        case failed
        /// Out of the ordinary, but no reason to refuse the token.
        case warned
        case notChecked
    }

    /// The rule's name for a person, as in "Signature".
    public let rule: String
    public let outcome: Outcome
    /// Why, in a sentence.
    public let explanation: String

    public init(rule: String, outcome: Outcome, explanation: String) {
        self.rule = rule
        self.outcome = outcome
        self.explanation = explanation
    }
}
