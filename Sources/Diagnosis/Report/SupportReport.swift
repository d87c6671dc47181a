import Foundation
import JSON

/// A report for support: versions, check findings and the last token request. Contains no secrets or personal data.
package struct SupportReport: Sendable, Equatable {
    package var versions: [Explanation.Row]
    package var check: CheckReport
    package enum Attempt: Sendable, Equatable {
        case notRecorded
        case damaged
        case recorded(AttemptReport)
    }

    package var attempt: Attempt
    package var date: Date

    package init(versions: [Explanation.Row], check: CheckReport, attempt: Attempt, date: Date, masking: Masking) {
        (self.versions, self.attempt, self.date) = (versions, attempt, date)
        let sections = check.sections.map { section in
            CheckReport.Section(section.area, section.findings.map { Self.masked($0, by: masking) })
        }
        self.check = CheckReport(sections)
    }

    /// Subjects whose facts contain personal data: the report has their verdict only.
    private static let privateSubjects: Set<String> = [
        "Configuration", "Client ID", "Application", "Bundle identifier", "Token cache",
    ]

    private static func masked(_ finding: CheckFinding, by masking: Masking) -> CheckFinding {
        let isPrivate = privateSubjects.contains(finding.subject)
        return CheckFinding(finding.subject, finding.verdict, isPrivate ? "" : masking.text(finding.fact))
    }
}

extension SupportReport {
    package var text: String {
        let sections = [
            [
                "# Keyturn support report",
                "Created \(date.ISO8601Format()). Secrets, usernames and the addresses of other computers are hidden.",
            ],
            ["## Versions"] + versions.map { "- \($0.name): \($0.value)" }, ["## Check"] + checkLines,
            ["## Last token request"] + attemptLines,
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
        let start = Date(timeIntervalSinceReferenceDate: json["startDate"]?.number ?? 0)
        return [
            "\(json.shown("kind")), \(start.ISO8601Format()), \(json.shown("milliseconds")) ms, "
                + "correlation ID \(json.shown("correlationID"))", "",
        ] + (json["failure"].map(Self.lines(ofFailure:)) ?? ["Succeeded."]) + [""]
            + json.list("steps").map { "- +\($0.shown("milliseconds")) ms \($0.shown("name")) \($0.shown("phase"))" }
            + [""] + json.list("exchanges").flatMap(Self.lines(ofExchange:))
    }

    private static func lines(ofFailure failure: JSONValue) -> [String] {
        let dictionary = ErrorDictionary.bundled
        let codes = [
            ("code", "code"), ("internal code", "internalCode"), ("error", "oauthError"), ("suberror", "subError"),
            ("HTTP status", "status"), ("cause", "cause"),
        ].compactMap { label, name in failure[name].map { _ in "\(label) \(failure.shown(name))" } }
        let checks = failure["failedChecks"]?.strings.map { ["failed check \($0.joined(separator: ", "))"] } ?? []
        let numbers = failure["stsCodes"]?.integers ?? []
        let entries =
            [
                (failure["internalCode"] ?? failure["code"])?.integer.flatMap { dictionary.entry(msal: $0) },
                failure["oauthError"]?.string.flatMap { dictionary.entry(.oauth, $0) },
            ] + numbers.map { dictionary.entry(sts: $0) }
        return ["Failed: " + (codes + checks + numbers.map { "AADSTS\($0)" }).joined(separator: ", ")]
            + entries.compactMap { $0.map { "- \($0.code): \($0.meaning)" } }
    }

    private static func lines(ofExchange exchange: JSONValue) -> [String] {
        let parts = ["direction", "method", "address"].map(exchange.shown).joined(separator: " ")
        let outcome =
            exchange["hasFailed"] == true
            ? "no response" : ["status", "mediaType"].map(exchange.shown).filter { !$0.isEmpty }.joined(separator: " ")
        return ["- +\(exchange.shown("milliseconds")) ms \(parts) → \(outcome) (\(exchange.shown("duration")) ms)"]
            + exchange.list("parameters").map { "    \($0.shown("name"))=\($0.shown("value"))" }
    }
}

extension JSONValue {
    fileprivate func shown(_ member: String) -> String { self[member].map { $0.string ?? $0.serialized } ?? "" }

    fileprivate func list(_ member: String) -> [JSONValue] { self[member]?.array ?? [] }
}
