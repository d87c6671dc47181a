import Console
import Diagnosis
import Foundation
import JSON
import TerminalUI

struct ExplanationReport {
    var explanation: Explanation
    var copy: Redaction?
    var now: Date
    var linksOpen = false

    func text(_ look: OutputLook) -> String {
        let sections = explanation.toldSections.map { Printable.sanitize($0.title) + "\n" + text($0, look) }
        let findings = FindingTable(findings: explanation.findings).text(look)
        let judged = findings.isEmpty ? [] : ["Findings\n" + findings]
        return ([look.hang(Printable.sanitize(explanation.summary))] + judged + links + sections).joined(
            separator: "\n")
    }

    private var links: [String] {
        let links = explanation.links.map { "  \(linksOpen ? Hyperlink.text($0) : $0)\n" }
        return links.isEmpty ? [] : ["More\n" + links.joined()]
    }

    private func text(_ section: Explanation.Section, _ look: OutputLook) -> String {
        section.isFolded ? look.hang(Printable.sanitize(section.short), after: "  ") : text(section.rows, look)
    }

    /// The rows as columns, if none has a meaning.
    private func text(_ rows: [Explanation.Row], _ look: OutputLook) -> String {
        guard rows.allSatisfy({ $0.meaning == nil }) else { return rows.map { text($0, look) }.joined() }
        return table(rows).text(columns: look.columns)
    }

    private func table(_ rows: [Explanation.Row]) -> TextTable {
        TextTable(rows: rows.map { [$0.name, $0.value + moment($0)] }, indent: "  ")
    }

    private func text(_ row: Explanation.Row, _ look: OutputLook) -> String {
        let start = table([row]).text(columns: look.columns)
        let meaning = [row.meaning, row.source.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        return start + (meaning.isEmpty ? "" : look.hang(Printable.sanitize(meaning), after: "      "))
    }

    private func moment(_ row: Explanation.Row) -> String {
        row.date.map { " = \(Moment.utc($0)), \(Moment.relative($0, to: now))" } ?? ""
    }

    /// New members can appear; existing ones are stable.
    var json: String {
        let value = JSONValue(members: [
            // The name of the cause that comes first, in docs/causes.md or an error's code.
            "cause": explanation.cause.map(JSONValue.string), "kind": .string(explanation.kind.rawValue),
            "summary": .string(explanation.summary),
            "sections": .array(
                explanation.sections.map { ["title": .string($0.title), "rows": .array($0.rows.map(Self.json))] }),
            "findings": .array(explanation.findings.map(\.json)), "links": JSONValue(explanation.links),
            "copy": copy.map(Self.json), "answers": explanation.ticket.map(Self.json),
        ])
        return value.document
    }

    private static func json(of copy: Redaction) -> JSONValue {
        JSONValue(members: [
            "values": JSONValue(copy.receipt.counts.values), "places": JSONValue(copy.receipt.counts.places),
            "leftOut": JSONValue(copy.receipt.leftOut), "hasSameCause": .bool(copy.loss == nil),
            "loss": (copy.loss?.sentence).map(JSONValue.string),
        ])
    }

    private static func json(of ticket: Ticket) -> JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: Ticket.Reader.allCases.map { ($0.rawValue, .string(ticket.text(for: $0))) }))
    }

    private static func json(of row: Explanation.Row) -> JSONValue {
        JSONValue(members: [
            "name": .string(row.name), "value": .string(row.value),
            // RFC 3339, UTC.
            "date": (row.date?.ISO8601Format()).map(JSONValue.string),
            "meaning": row.meaning.map(JSONValue.string), "source": row.source.map(JSONValue.string),
        ])
    }
}

extension ComparisonText {
    /// New members can appear; existing ones are stable.
    var json: String {
        JSONValue(members: [
            "isDifferent": .bool(comparison.isDifferent), "verdict": .string(verdict),
            "steps": .array(comparison.steps.map(Self.json)),
        ]).document
    }

    private static func json(of step: Comparison.Step) -> JSONValue {
        JSONValue(members: [
            "title": .string(step.title), "first": step.first.map(JSONValue.string),
            "second": step.second.map(JSONValue.string),
            "differences": .array(
                step.differences.map { difference in
                    [
                        "name": .string(difference.name), "first": .string(difference.first),
                        "second": .string(difference.second),
                    ]
                }),
        ])
    }
}
