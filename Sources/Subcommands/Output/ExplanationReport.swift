import Console
import Diagnosis
import Foundation
import TerminalUI

/// The output of `explain` as text and JSON.
struct ExplanationReport {
    var explanation: Explanation
    var now: Date
    /// Whether the terminal may open links.
    var linksOpen = false

    var text: String {
        let sections = explanation.sections.map { Printable.sanitize($0.title) + "\n" + text($0.rows) }
        let judged = explanation.findings.isEmpty ? [] : ["Findings\n" + findings]
        return ([Printable.sanitize(explanation.summary) + "\n"] + judged + links + sections).joined(separator: "\n")
    }

    private var links: [String] {
        let links = explanation.links.map { "  \(linksOpen ? Hyperlink.text($0) : $0)\n" }
        return links.isEmpty ? [] : ["More\n" + links.joined()]
    }

    private var findings: String { FindingTable(findings: explanation.findings).text }

    /// The rows as columns, if none has a meaning.
    private func text(_ rows: [Explanation.Row]) -> String {
        guard rows.allSatisfy({ $0.meaning == nil }) else { return rows.map(text).joined() }
        return TextTable(rows: rows.map { [$0.name, $0.value + moment($0)] }, indent: "  ").text
    }

    /// The row on one line, its meaning below.
    private func text(_ row: Explanation.Row) -> String {
        let start = TextTable(rows: [[row.name, row.value + moment(row)]], indent: "  ").text
        let meaning = [row.meaning, row.source.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        return start + (meaning.isEmpty ? "" : "      \(Printable.sanitize(meaning))\n")
    }

    private func moment(_ row: Explanation.Row) -> String {
        row.date.map { " = \(Moment.utc($0)), \(Moment.relative($0, to: now))" } ?? ""
    }

    /// New members can appear; existing ones are stable.
    var json: String { JSONText.document(Document(explanation)) }

    private struct Document: Encodable {
        var kind: Explanation.Kind
        var summary: String
        var sections: [Section]
        var findings: [FindingDocument]
        var links: [String]

        struct Section: Encodable {
            var title: String
            var rows: [Row]
        }

        struct Row: Encodable {
            var name: String
            var value: String
            /// RFC 3339, UTC.
            var date: String?
            var meaning: String?
            var source: String?
        }

        init(_ explanation: Explanation) {
            kind = explanation.kind
            summary = explanation.summary
            links = explanation.links
            findings = explanation.findings.map(FindingDocument.init)
            sections = explanation.sections.map { section in
                Section(
                    title: section.title,
                    rows: section.rows.map {
                        Row(
                            name: $0.name, value: $0.value, date: $0.date?.ISO8601Format(), meaning: $0.meaning,
                            source: $0.source)
                    })
            }
        }
    }
}
