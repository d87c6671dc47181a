/// The result of a check: subject, verdict, fact and fix.
package struct CheckFinding: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable, Encodable {
        /// Passed.
        case good
        /// A warning: sign-in works, but something can surprise.
        case attention
        /// Failed: sign-in fails or tokens are lost until it is fixed.
        case wrong
        /// Skipped, or impossible because an earlier check failed.
        case notChecked
    }

    /// The subject in one to three words, for example "Redirect URI".
    package var subject: String
    package var verdict: Verdict
    /// The result, in one or two sentences.
    package var fact: String
    /// How to fix it; `nil` if nothing is wrong.
    package var fix: String?

    package init(_ subject: String, _ verdict: Verdict, _ fact: String, fix: String? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.fact = fact
        self.fix = fix
    }
}

extension [CheckFinding] {
    /// The worst verdict; `.good` for an empty list. Ignores skipped checks.
    package var worst: CheckFinding.Verdict {
        [.wrong, .attention].first { verdict in contains { $0.verdict == verdict } } ?? .good
    }
}
