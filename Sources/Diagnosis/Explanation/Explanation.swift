import Foundation
import MSAL
import OAuthCore

/// The explanation of a code, URL or token, part by part, with its problems.
///
/// Contains no secrets. Values are untrusted text: escape them before printing to a terminal.
package struct Explanation: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case errorCode, authorizationRequest, authorizationResponse, redirectURI, authority, token, har, log, response,
            challenge, infoPlist, entitlements, configuration
    }

    /// The title of the section with the evidence of a finding.
    package static func evidenceTitle(of subject: String) -> String { "Evidence: \(subject)" }

    package struct Section: Sendable, Equatable {
        package var title: String
        package var rows: [Row]
        /// The title for readers, if they need another one.
        package var heading: String?
        /// Whether it stands behind the cause, so that readers see it in short.
        package var isFolded = false

        package init(title: String, rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    /// A named part.
    package struct Row: Sendable, Equatable {
        package var name: String
        /// The value in the text, as far as ``Privacy`` permits.
        package var value: String
        /// The date, if the value is one.
        package var date: Date?
        package var meaning: String?
        /// The specification or product that defines it.
        package var source: String?

        package init(
            _ name: String, _ value: String, date: Date? = nil, meaning: String? = nil, source: String? = nil
        ) {
            self.name = name
            self.value = value
            self.date = date
            self.meaning = meaning
            self.source = source
        }
    }

    package var kind: Kind
    /// One sentence that classifies the text.
    package var summary: String
    package var sections: [Section] = []
    /// The findings.
    package var findings: [CheckFinding] = []
    /// The stable name of the cause that comes first: of a rule, of a row in `Resources/causes.json`, or an error's code.
    package var cause: String?
    /// The answer for whoever asked; nil if nothing is wrong.
    package var ticket: Ticket? { causeTicket ?? findings.lazy.compactMap(Ticket.init).first }
    /// The answer by the cause that comes first.
    var causeTicket: Ticket?
    /// The requests of a recording or log; nil if it has none.
    package var diagram: SequenceDiagram?
    /// What the arrows of the diagram carry.
    package var messages: [Message] = []
    /// The arrow of the cause that comes first.
    package var failingArrow: Int?

    package init(_ kind: Kind, _ summary: String, sections: [Section] = [], findings: [CheckFinding] = []) {
        self.kind = kind
        self.summary = summary
        self.sections = sections.filter { !$0.rows.isEmpty }
        self.findings = findings
    }
}

extension Explanation {
    /// The sections for a reader who has read the summary: without a row that repeats it.
    package var toldSections: [Section] {
        sections.map { section in
            var told = Section(
                title: section.heading ?? section.title,
                rows: section.rows.filter { $0.name != Self.meaning || $0.value != summary })
            told.isFolded = section.isFolded
            return told
        }
    }

    /// The name of the row with the meaning of an error.
    static let meaning = "Meaning"
}

extension Explanation {
    /// What proves a finding.
    package func evidence(of finding: CheckFinding) -> [Row] {
        sections.filter { $0.title == Self.evidenceTitle(of: finding.subject) }.flatMap(\.rows)
    }

    /// The finding that names the cause; `nil` if nothing is wrong.
    package var firstProblem: CheckFinding? { findings.first { $0.verdict != .passed } }
}

extension Explanation.Section {
    /// A section that readers see in short; `nil` without rows.
    static func folded(_ title: String, _ rows: [Explanation.Row]) -> Self? {
        guard !rows.isEmpty else { return nil }
        var section = Self(title: title, rows: rows)
        section.isFolded = true
        return section
    }

    /// Its rows on one line.
    package var short: String {
        rows.map { $0.value.isEmpty ? $0.name : "\($0.name): \($0.value)" }.joined(separator: " ")
    }
}

extension Explanation.Row {
    /// A parameter with its meaning.
    init(_ pair: Parameters.Pair) {
        let entry = ParameterDictionary.bundled.entry(forParameter: pair.name)
        self.init(
            Privacy.name(pair.name, hasValue: !pair.value.isEmpty),
            Privacy.text(pair.value, of: pair.name, for: .explanation),
            meaning: entry?.meaning, source: entry?.source)
    }
}

extension Explanation {
    /// The pages that define what it names: RFCs, OpenID Connect and Microsoft's error codes.
    package var links: [String] {
        let texts =
            findings.flatMap { [$0.subject, $0.fact, $0.fix ?? ""] }
            + sections.flatMap { section in
                [section.title] + section.rows.filter { $0.name == "Defined by" }.map(\.value)
            }
        var found: [String] = []
        for link in texts.lazy.flatMap(Self.links) where !found.contains(link) {
            found.append(link)
            if found.count == Self.mostLinks { break }
        }
        return found
    }

    private static let mostLinks = 6

    private static let pattern = Pattern(
        #/AADSTS(?<code>[0-9]{5,8})|RFC (?<number>[0-9]{4,5})(?: §(?<section>[0-9]+(?:\.[0-9]+)*))?|OpenID Connect Core/#
    )

    private static func links(in text: String) -> [String] {
        text.matches(of: pattern.regex).map { match in
            if let code = match.code { return "https://login.microsoftonline.com/error?code=\(code)" }
            guard let number = match.number else { return "https://openid.net/specs/openid-connect-core-1_0.html" }
            let section = match.section.map { "#section-\($0)" } ?? ""
            return "https://www.rfc-editor.org/rfc/rfc\(number)\(section)"
        }
    }
}
