import Foundation
import MSAL

/// The result of a check: subject, verdict, fact and fix.
package struct CheckFinding: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable {
        case passed
        /// Sign-in works, but something can surprise.
        case warning
        /// Sign-in fails or tokens are lost until it is fixed.
        case failed
        /// Not run, or impossible because an earlier check failed.
        case skipped
    }

    /// The subject in one to three words, for example "Redirect URI".
    package var subject: String
    package var verdict: Verdict
    /// The result, in one or two sentences.
    package var fact: String
    /// How to fix it; `nil` if nothing is wrong.
    package var fix: String?
    /// The failure with which a sign-in would end, which decides the exit status of both.
    package var failure: Failure?

    package init(_ subject: String, _ verdict: Verdict, _ fact: String, fix: String? = nil) {
        self.subject = subject
        self.verdict = verdict
        self.fact = fact
        self.fix = fix
    }

    /// What `explain` says of a value: a row of `findings` in `Resources/causes.json`.
    ///
    /// - Parameters:
    ///   - values: what stands for each `{}` of the row, in order.
    ///   - verdict: if that of the row depends.
    init(named name: String, _ values: String..., verdict: Verdict? = nil) {
        let row = KnownCause.findings[name]
        var rest = values[...]
        func text(_ member: String) -> String? { row?[member]?.string?.filled(with: &rest) }
        subject = text("subject") ?? name
        fact = text("fact") ?? name
        fix = text("fix")
        self.verdict = verdict ?? row?["verdict"]?.string.flatMap(Verdict.init) ?? .failed
    }

    /// The same; `nil` if the row doesn't apply.
    init?(_ name: String, if applies: Bool, verdict: Verdict? = nil) {
        guard applies else { return nil }
        self.init(named: name, verdict: verdict)
    }
}

extension [CheckFinding] {
    /// The worst verdict; `.passed` for an empty list. Ignores skipped checks.
    package var worst: CheckFinding.Verdict {
        [.failed, .warning].first { verdict in contains { $0.verdict == verdict } } ?? .passed
    }

    /// The failed checks, then those with a warning, then the others.
    package var failedFirst: Self { ranked(by: \.verdict, first: [.failed, .warning]) }
}

extension [MSALIDTokenVerdict] {
    /// The failed checks, then those with a warning, then the others.
    package var failedFirst: Self { ranked(by: \.outcome, first: [.failed, .warning]) }
}

extension Array {
    fileprivate func ranked<Rank: Equatable>(by rank: (Element) -> Rank, first ranks: [Rank]) -> Self {
        ranks.flatMap { wanted in filter { rank($0) == wanted } } + filter { !ranks.contains(rank($0)) }
    }
}

extension Failure {
    /// What to do about a failed check.
    var fix: String { advice.isEmpty ? "Try again." : advice }
}
