import Foundation

/// A report for support: versions, check findings and the last token request. Contains no secrets or personal data.
package struct SupportReport: Sendable, Equatable {
    package struct Version: Sendable, Equatable {
        package var name: String
        package var text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// The versions of the program and the system.
    package var versions: [Version]
    package var check: CheckReport
    package enum Attempt: Sendable, Equatable {
        case notRecorded
        /// The saved record is damaged or was changed.
        case damaged
        case recorded(AttemptReport)
    }

    /// The last token request.
    package var attempt: Attempt
    package var date: Date

    /// - Parameter masking: hides personal data in the findings.
    package init(
        versions: [Version], check: CheckReport, attempt: Attempt, date: Date, masking: Masking
    ) {
        self.versions = versions
        self.check = CheckReport(
            check.sections.map { section in
                CheckReport.Section(section.area, section.findings.map { Self.masked($0, by: masking) })
            })
        self.attempt = attempt
        self.date = date
    }

    /// Subjects whose facts contain personal data: the report has their verdict only.
    private static let privateSubjects: Set<String> = ["Configuration", "Client ID", "Application", "Token cache"]

    private static func masked(_ finding: CheckFinding, by masking: Masking) -> CheckFinding {
        guard !privateSubjects.contains(finding.subject) else {
            return CheckFinding(finding.subject, finding.verdict, "")
        }
        return CheckFinding(finding.subject, finding.verdict, masking.text(finding.fact))
    }
}
