/// One line of an examination: what was looked at, how it is, and what to do about it.
package struct CheckFinding: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable, Encodable {
        case good
        /// It works, and may surprise.
        case attention
        /// Signing in fails, or tokens are not kept, until it is put right.
        case wrong
        /// Nothing was found out: it was left out, or something before it failed.
        case notChecked
    }

    /// What was looked at, in a word or three: "Redirect URI".
    package var subject: String
    package var verdict: Verdict
    /// How it is, in a sentence or two.
    package var fact: String
    /// What puts it right; `nil` where nothing has to be done.
    package var fix: String?

    package init(_ subject: String, _ verdict: Verdict, _ fact: String, fix: String? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.fact = fact
        self.fix = fix
    }
}

extension [CheckFinding] {
    /// The worst that was found; `.good` of an empty list. What was not checked says nothing.
    package var worst: CheckFinding.Verdict {
        [.wrong, .attention].first { verdict in contains { $0.verdict == verdict } } ?? .good
    }
}
