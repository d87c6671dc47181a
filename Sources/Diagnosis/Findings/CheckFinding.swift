import CResources
import Foundation
import JSON
import MSAL

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

    /// One to three words, for example "Redirect URI".
    package var subject: String
    package var verdict: Verdict
    /// One or two sentences.
    package var fact: String
    /// `nil` if nothing is wrong.
    package var fix: String?
    /// The failure with which a sign-in would end, which decides the exit status of both.
    package var failure: Failure?

    package init(_ subject: String, _ verdict: Verdict, _ fact: String, fix: String? = nil) {
        (self.subject, self.verdict, self.fact, self.fix) = (subject, verdict, fact, fix)
    }

    /// What is said of pasted values and of the set-up, by name: the subject, the verdict, the fact and the fix.
    static let rows = JSONValue(resource: keyturn_resource_findings()).object ?? [:]

    /// A row of `Resources/findings.json`, with values for each `{}`, in order; `verdict` if that of the row depends.
    init(named name: String, _ values: String..., verdict: Verdict? = nil) { self.init(row: name, values, verdict) }

    init?(_ name: String, _ values: String..., if applies: Bool, verdict: Verdict? = nil) {
        guard applies else { return nil }
        self.init(row: name, values, verdict)
    }

    private init(row name: String, _ values: [String], _ verdict: Verdict?) {
        let row = Self.rows[name]
        var rest = values[...]
        func text(_ member: String) -> String? { row?[member]?.string?.filled(with: &rest) }
        self.init(
            text("subject") ?? name, verdict ?? row?["verdict"]?.string.flatMap(Verdict.init) ?? .failed,
            text("fact") ?? name, fix: text("fix"))
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
    package var failedFirst: Self { ranked(by: \.outcome, first: [.failed, .warning]) }
}

extension Array {
    fileprivate func ranked<Rank: Equatable>(by rank: (Element) -> Rank, first ranks: [Rank]) -> Self {
        ranks.flatMap { wanted in filter { rank($0) == wanted } } + filter { !ranks.contains(rank($0)) }
    }
}

extension Failure {
    var fix: String { advice.isEmpty ? "Try again." : advice }
}

package struct CheckReport: Sendable, Equatable {
    /// The areas, in the order in which to fix problems. Those with a failed check come first in a report.
    package enum Area: String, Sendable, CaseIterable {
        case configuration, application, resource, authority, cache, machine

        package var title: String {
            switch self {
            case .configuration: "Configuration"
            case .application: "Application"
            case .resource: "Resource"
            case .authority: "Authority"
            case .cache: "Token cache"
            case .machine: "This computer"
            }
        }
    }

    package struct Section: Sendable, Equatable {
        package var area: Area
        package var findings: [CheckFinding]

        package init(_ area: Area, _ findings: [CheckFinding]) {
            (self.area, self.findings) = (area, findings.failedFirst)
        }
    }

    package var sections: [Section]

    package init(_ sections: [Section]) {
        let sections = sections.filter { !$0.findings.isEmpty }
        self.sections =
            sections.filter { $0.findings.worst == .failed } + sections.filter { $0.findings.worst != .failed }
    }

    package var findings: [CheckFinding] { sections.flatMap(\.findings) }

    package var worst: Section? { sections.first { $0.findings.worst == .failed } }

    package var summary: String {
        func count(_ verdict: CheckFinding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
        let (failures, warnings) = (count(.failed), count(.warning))
        let remarks = warnings == 0 ? "" : " \(warnings) \(warnings == 1 ? "warning" : "warnings")."
        if failures > 0 { return "\(failures) \(failures == 1 ? "check" : "checks") failed.\(remarks)" }
        return warnings == 0 && count(.skipped) == 0 ? "All checks passed." : "No check failed.\(remarks)"
    }
}
