/// The cause of a failed sign-in, with its evidence.
struct Cause: Sendable, Equatable {
    /// One to three words.
    var subject: String
    /// One sentence.
    var headline: String
    /// The values behind the cause, for example the URI that was sent.
    var facts: [Explanation.Row] = []
    var fix: String
    /// The entries or lines of the evidence.
    var positions: [Int]

    init(
        _ subject: String, _ headline: String, facts: [Explanation.Row] = [], fix: String, at positions: Int...
    ) {
        self.subject = subject
        self.headline = headline
        self.facts = facts
        self.fix = fix
        self.positions = positions
    }
}

/// The rules that find causes, most specific first.
enum CauseRules {
    typealias Rule = @Sendable (Evidence) -> Cause?

    static let all: [Rule] = FlowCauses.all + NetworkCauses.all + LogCauses.all + [CodedCauses.refusal]

    /// Each cause once, most specific first.
    static func causes(of evidence: Evidence) -> [Cause] {
        all.compactMap { $0(evidence) }.reduce(into: []) { found, cause in
            // An error that a specific rule explains isn't a second cause.
            let isExplained = found.contains { !Set($0.positions).isDisjoint(with: cause.positions) }
            if !isExplained { found.append(cause) }
        }
    }
}
