import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// A flow as a file to share: HAR 1.2, text or a handout, without secrets, names and email addresses.
package struct TraceReport {
    let trace: FlowTrace
    private let findings: [CheckFinding]

    package init(_ trace: FlowTrace, held: HeldFlow?) {
        self.trace = trace
        findings = held?.findings(in: trace).compactMap(\.finding) ?? []
    }

    var exports: [Export] {
        [(".har", har), (".txt", text), (".html", html)].map { ending, text in
            Export("the flow", path: "./flow\(ending)", .text(text))
        }
    }

    static let promise = "Without secrets, names and email addresses."

    private var facts: [(name: String, value: String)] {
        [
            ("Outcome", trace.endingWords), ("Started", trace.startDate.map(Moment.utc) ?? "not yet"),
            ("Correlation ID", trace.correlationID ?? "none"),
        ] + findings.map { ($0.subject, Self.oneLine($0.fact)) }
    }

    package var text: String {
        let head = ["Keyturn: requests and responses of a flow", Self.promise, ""]
        let told = facts.map { "\($0.name): \($0.value)" }
        let steps = trace.rows.enumerated().flatMap { [""] + lines(of: $1, number: $0 + 1) }
        return (head + told + steps).joined(separator: "\n") + "\n"
    }

    private func lines(of row: TraceRow, number: Int) -> [String] {
        let took = row.duration(by: nil).map { ", \(Moment.milliseconds($0))" } ?? ""
        let head = "\(number). \(trace.offset(of: row)) \(row.title): \(row.status.word)\(took)"
        guard let exchange = row.exchange else { return [head] }
        let parameters = exchange.parameters.map { parameter in
            "   \(parameter.place.word)  \(Self.oneLine(parameter.name)) = \(Self.oneLine(parameter.told))"
        }
        return [head, "   \(exchange.method) \(Self.oneLine(exchange.address))"]
            + (exchange.changeNote.map { ["   \($0)"] } ?? [])
            + (exchange.failure.map { ["   \(Self.oneLine($0))"] } ?? []) + parameters
    }

    package var html: String {
        Handout(
            trace, story: facts.map { "\($0.name): \($0.value)\($0.value.hasSuffix(".") ? "" : ".")" } + [Self.promise]
        ).text(.html)
    }

    package var har: String { HARFile.text(of: trace.exchanges, comment: Self.promise) }

    /// A server's text on one line, without control characters.
    private static func oneLine(_ text: String) -> String {
        Printable.sanitize(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}

extension FlowTrace {
    func offset(of row: TraceRow) -> String {
        Moment.offset(startDate.map { row.startDate.timeIntervalSince($0) } ?? 0)
    }
}

extension MSALFlowParameter {
    /// The value as shown in reports.
    var told: String { [shareableValue, note].compactMap { $0 }.joined(separator: ", ") }
}
