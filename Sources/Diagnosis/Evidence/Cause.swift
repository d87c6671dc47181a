/// Why a sign-in failed, with what shows it.
struct Cause: Sendable, Equatable {
    /// One to three words.
    var subject: String
    /// One sentence.
    var headline: String
    /// What differs, what was sent and what was registered.
    var facts: [Explanation.Row] = []
    var fix: String
    /// The entries or lines that show it.
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

/// The rules that name causes. Earlier rules are the more specific ones: the first cause found comes first.
enum CauseRules {
    typealias Rule = @Sendable (Evidence) -> Cause?

    static let all: [Rule] = FlowCauses.all + NetworkCauses.all + LogCauses.all + [CodedCauses.refusal]

    /// Each cause once, most specific first.
    static func causes(of evidence: Evidence) -> [Cause] {
        all.compactMap { $0(evidence) }.reduce(into: []) { found, cause in
            // A refusal that a specific rule explains isn't a second cause.
            let isExplained = found.contains { !Set($0.positions).isDisjoint(with: cause.positions) }
            if !isExplained { found.append(cause) }
        }
    }
}
