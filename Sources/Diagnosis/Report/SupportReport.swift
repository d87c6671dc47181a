import Foundation

/// What a person gives to whoever helps them: versions, what a check found, the last request for a token. It can be pasted
/// anywhere.
package struct SupportReport: Sendable, Equatable {
    package struct Version: Sendable, Equatable {
        package var name: String
        package var text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// This program's and the system's own words.
    package var versions: [Version]
    package var check: CheckReport
    /// `nil`: none was kept.
    package var attempt: AttemptReport?
    package var date: Date

    /// - Parameter masking: takes out of the findings what tells who somebody is.
    package init(
        versions: [Version], check: CheckReport, attempt: AttemptReport?, date: Date, masking: Masking
    ) {
        self.versions = versions
        self.check = CheckReport(
            check.sections.map { section in
                CheckReport.Section(section.area, section.findings.map { Self.masked($0, by: masking) })
            })
        self.attempt = attempt
        self.date = date
    }

    /// Findings about what people named and where they keep it: how it is must do.
    private static let privateSubjects: Set<String> = ["Configuration", "Client ID", "Application", "Token cache"]

    private static func masked(_ finding: CheckFinding, by masking: Masking) -> CheckFinding {
        guard !privateSubjects.contains(finding.subject) else {
            return CheckFinding(finding.subject, finding.verdict, "")
        }
        return CheckFinding(finding.subject, finding.verdict, masking.text(finding.fact))
    }
}
