/// The findings of `keyturn check`, by area.
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
            self.area = area
            self.findings = findings.failedFirst
        }
    }

    package var sections: [Section]

    package init(_ sections: [Section]) {
        let sections = sections.filter { !$0.findings.isEmpty }
        self.sections =
            sections.filter { $0.findings.worst == .failed } + sections.filter { $0.findings.worst != .failed }
    }

    package var findings: [CheckFinding] { sections.flatMap(\.findings) }

    /// The first section with a failed check.
    package var worst: Section? { sections.first { $0.findings.worst == .failed } }

    /// The result as a whole.
    package var summary: String {
        func count(_ verdict: CheckFinding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
        let (failures, warnings) = (count(.failed), count(.warning))
        let remarks = warnings == 0 ? "" : " \(warnings) \(warnings == 1 ? "warning" : "warnings")."
        if failures > 0 { return "\(failures) \(failures == 1 ? "check" : "checks") failed.\(remarks)" }
        return warnings == 0 && count(.skipped) == 0 ? "All checks passed." : "No check failed.\(remarks)"
    }
}
