import Foundation

/// Explains a recorded sign-in: the cause, the evidence and the timeline.
struct EvidenceExplanation {
    let explanation: Explanation

    init(_ archive: HARFile) {
        let evidence = Evidence(archive.exchanges)
        let writer = archive.creator.map { " by \($0)" } ?? ""
        let unread = archive.unreadable == 0 ? "" : " \(archive.unreadable) entries couldn't be read."
        explanation = Self.explanation(
            .har, evidence,
            "A recording of \(archive.exchanges.count) requests\(writer), \(evidence.steps.count) of a sign-in.\(unread)",
            timeline: evidence.steps.map(Self.row))
    }

    init(_ log: LogFile) {
        explanation = Self.explanation(
            .log, Evidence(log), "A log of \(log.writer.rawValue), \(log.lines.count) lines.")
    }

    private static func explanation(
        _ kind: Explanation.Kind, _ evidence: Evidence, _ summary: String, timeline: [Explanation.Row] = []
    ) -> Explanation {
        let causes = CauseRules.causes(of: evidence)
        return Explanation(
            kind, summary,
            sections: causes.map { cause in
                Explanation.Section(
                    title: "Evidence: \(cause.subject)",
                    rows: cause.facts + [.init(evidence.unit.capitalized, positions(cause))])
            } + [.init(title: "Timeline", rows: timeline)],
            findings: causes.isEmpty
                ? [.init("Cause", .skipped, "No rule names a cause in this file.")]
                : causes.enumerated().map { index, cause in
                    .init(cause.subject, index == 0 ? .failed : .warning, cause.headline, fix: cause.fix)
                })
    }

    private static func positions(_ cause: Cause) -> String {
        Set(cause.positions).sorted().map(String.init).joined(separator: ", ")
    }

    /// A step without its parameters, which can be secret.
    private static func row(_ step: Evidence.Step) -> Explanation.Row {
        let exchange = step.exchange
        let outcome = exchange.status == 0 ? exchange.failure ?? "no response" : "HTTP \(exchange.status)"
        let error = step.refusal.map { refusal in
            " " + ([refusal.error] + refusal.codes.map { "AADSTS\($0)" }).filter { !$0.isEmpty }.joined(separator: " ")
        }
        return Explanation.Row(
            "\(exchange.number)", "\(step.role.rawValue)  \(exchange.host)  \(outcome)\(error ?? "")")
    }
}
