import Foundation
import MSAL
import OAuthCore

/// A text explained part by part, without secrets. It has untrusted text: escape it before printing to a terminal.
package struct Explanation: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case errorCode, authorizationRequest, authorizationResponse, redirectURI, authority, token, har, log, response,
            challenge, infoPlist, entitlements, configuration
    }

    package static func evidenceTitle(of subject: String) -> String { "Evidence: \(subject)" }

    package struct Section: Sendable, Equatable {
        package var title: String
        package var rows: [Row]
        package var heading: String?
        /// Whether it stands behind the cause, so that readers see it in short.
        package var isFolded = false

        package init(title: String, rows: [Row]) {
            (self.title, self.rows) = (title, rows)
        }
    }

    package struct Row: Sendable, Equatable {
        package var name: String
        /// The value in the text, as far as ``Privacy`` permits.
        package var value: String
        package var date: Date?
        package var meaning: String?
        package var source: String?

        package init(
            _ name: String, _ value: String, date: Date? = nil, meaning: String? = nil, source: String? = nil
        ) {
            (self.name, self.value, self.date, self.meaning, self.source) = (name, value, date, meaning, source)
        }
    }

    package var kind: Kind
    package var summary: String
    package var sections: [Section] = []
    package var findings: [CheckFinding] = []
    /// A stable name: of a rule, of a row in `Resources/causes.json`, or an error's code.
    package var cause: String?
    /// The answer for whoever asked; nil if nothing is wrong.
    package var ticket: Ticket? { causeTicket ?? findings.lazy.compactMap(Ticket.init).first }
    var causeTicket: Ticket?
    package var diagram: SequenceDiagram?
    package var messages: [Message] = []
    /// The arrow of the cause that comes first.
    package var failingArrow: Int?

    package init(_ kind: Kind, _ summary: String, sections: [Section] = [], findings: [CheckFinding] = []) {
        (self.kind, self.summary, self.findings) = (kind, summary, findings)
        self.sections = sections.filter { !$0.rows.isEmpty }
    }
}

extension Explanation {
    /// The sections for a reader who has read the summary: without a row that repeats it.
    package var toldSections: [Section] {
        sections.map { section in
            var told = section
            told.title = section.heading ?? section.title
            told.rows.removeAll { $0.name == Self.meaning && $0.value == summary }
            return told
        }
    }

    static let meaning = "Meaning"

    package func evidence(of finding: CheckFinding) -> [Row] {
        sections.filter { $0.title == Self.evidenceTitle(of: finding.subject) }.flatMap(\.rows)
    }

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

    package var short: String {
        rows.map { $0.value.isEmpty ? $0.name : "\($0.name): \($0.value)" }.joined(separator: " ")
    }
}

extension Explanation.Row {
    init(_ pair: Parameters.Pair) {
        let entry = ParameterDictionary.bundled.entry(forParameter: pair.name)
        self.init(
            Privacy.name(pair.name, hasValue: !pair.value.isEmpty),
            Privacy.text(pair.value, of: pair.name, for: .explanation), meaning: entry?.meaning, source: entry?.source)
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
        for link in texts.lazy.flatMap(Self.links) where found.count < Self.mostLinks && !found.contains(link) {
            found.append(link)
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

    /// What a recorded request and its response contain, as far as ``Privacy`` permits.
    package struct Message: Sendable, Equatable {
        package let number: Int
        package let request: [Row]
        package let response: [Row]

        /// A screen shows the messages of a sign-in, not of a day.
        static let most = 500

        init(_ step: Evidence.Step) {
            let exchange = step.exchange
            var received = exchange.location.map { Parameters(queryAndFragmentOf: $0) } ?? Parameters()
            for (name, value) in (exchange.json ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let text = value.string { received.append(name, text) }
            }
            number = exchange.number
            request = exchange.parameters.pairs.map { Row($0) }
            response = exchange.outcome.map(\.row) + received.pairs.filter { $0.name != "error" }.map { Row($0) }
        }
    }

    /// What an arrow of the diagram carries; for the failing one also what it answers.
    package func rows(of index: Int) -> [Row] {
        guard let diagram, diagram.arrows.indices.contains(index) else { return [] }
        let arrow = diagram.arrows[index]
        guard let message = messages.first(where: { $0.number == arrow.exchange }) else { return [] }
        // An authorization response is a request to the application.
        let isRequest = arrow.message == .request || arrow.to == .application && arrow.from == .browser
        return isRequest ? message.request : message.response + (index == failingArrow ? message.request : [])
    }

    /// A failure at the arrow of the cause, whatever its status.
    package var markedDiagram: SequenceDiagram? { failingArrow.flatMap { diagram?.rejecting($0) } ?? diagram }

    /// For readers of an explanation: to pass it on, make it from the explanation of a redacted copy.
    package var handout: Handout? {
        guard let markedDiagram else { return nil }
        let step = Handout.Step(markedDiagram) { index, _ in
            let cause = index == failingArrow ? firstProblem : nil
            return Handout.Detail((cause.map(evidence) ?? []) + rows(of: index), cause: cause?.fact)
        }
        return Handout(
            title: firstProblem?.fact ?? summary, story: [summary], steps: [step],
            ending: ticket.map {
                Handout.Ending("Answer", $0.text(for: $0.reader).split(separator: "\n").map(String.init))
            })
    }
}

extension SequenceDiagram {
    /// The last of its messages that was rejected, or else its last one.
    func failing(_ cause: Cause) -> Int? {
        let own = arrows.indices.filter { index in arrows[index].exchange.map(cause.positions.contains) ?? false }
        return own.last { arrows[$0].outcome == .rejected } ?? own.last
    }
}
