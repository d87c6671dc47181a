import Foundation
import MSAL

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
    private static let privateSubjects: Set<String> = [
        "Configuration", "Client ID", "Application", "Bundle identifier", "Token cache",
    ]

    private static func masked(_ finding: CheckFinding, by masking: Masking) -> CheckFinding {
        guard !privateSubjects.contains(finding.subject) else {
            return CheckFinding(finding.subject, finding.verdict, "")
        }
        return CheckFinding(finding.subject, finding.verdict, masking.text(finding.fact))
    }
}

/// The report as Markdown.
extension SupportReport {
    package var text: String {
        let sections = [
            [
                "# Keyturn support report",
                "Created \(date.ISO8601Format()). Secrets, usernames and the addresses of other computers are hidden.",
            ],
            ["## Versions"] + versions.map { "- \($0.name): \($0.text)" },
            ["## Check"] + checkLines, ["## Last token request"] + attemptLines,
        ]
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var checkLines: [String] {
        [check.summary]
            + check.findings.map { finding in
                "- [\(finding.verdict.rawValue)] \(finding.subject)" + (finding.fact.isEmpty ? "" : ": \(finding.fact)")
            }
    }

    private var attemptLines: [String] {
        switch attempt {
        case .notRecorded: ["None recorded."]
        case .damaged: ["The record was damaged or changed, and was left out."]
        case .recorded(let attempt): attempt.reportLines
        }
    }
}

extension AttemptReport {
    fileprivate var reportLines: [String] {
        let start = record.startDate
        return [
            "\(record.kind.rawValue), \(start.ISO8601Format()), \(record.endDate.milliseconds(since: start)) ms, "
                + "correlation ID \(record.correlationId.uuidString)",
            "",
        ] + (record.failure?.reportLines ?? ["Succeeded."]) + [""]
            + record.events.map { "- +\($0.date.milliseconds(since: start)) ms \($0.step.rawValue) \($0.phase)" } + [""]
            + record.exchanges.flatMap { $0.reportLines(since: start) }
    }
}

extension MSALAuthenticationError {
    /// The codes with their meanings.
    fileprivate var reportLines: [String] {
        let dictionary = ErrorDictionary.bundled
        let codes = [
            "code \(code)", internalCode.map { "internal code \($0)" }, oauthError.map { "error \($0)" },
            subError.map { "suberror \($0)" }, status.map { "HTTP status \($0)" }, cause.map { "cause \($0)" },
            failedChecks.map { "failed check \($0.joined(separator: ", "))" },
        ]
        let entries =
            [dictionary.entry(msal: internalCode ?? code), oauthError.flatMap { dictionary.entry(.oauth, $0) }]
            + stsCodes.map { dictionary.entry(sts: $0) }
        return ["Failed: " + (codes.compactMap(\.self) + stsCodes.map { "AADSTS\($0)" }).joined(separator: ", ")]
            + entries.compactMap { $0.map { "- \($0.code): \($0.meaning)" } }
    }
}

extension MSALFlowExchange {
    fileprivate func reportLines(since start: Date) -> [String] {
        let outcome =
            failure != nil
            ? "no response" : [status.map(String.init), mediaType].compactMap(\.self).joined(separator: " ")
        return [
            "- +\(startDate.milliseconds(since: start)) ms \(direction.rawValue) \(method) \(address) → \(outcome) (\(Int(millisecondsOf: duration)) ms)"
        ] + parameters.map { "    \($0.name)=\($0.value)" }
    }
}
