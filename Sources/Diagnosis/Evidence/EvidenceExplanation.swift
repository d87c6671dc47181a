import Foundation
import MSAL

extension Cause {
    /// The name of a cause that no row explains.
    static let unknown = "unknown-sentence"

    /// - Parameter isFirst: whether no other cause is stronger. A guess is never the failure.
    func finding(isFirst: Bool) -> CheckFinding {
        strength == .guessed
            ? CheckFinding(subject, .warning, "Perhaps: \(headline)", fix: fix)
            : CheckFinding(subject, isFirst && id != Self.unknown ? .failed : .warning, headline, fix: fix)
    }
}

/// Explains a recorded sign-in: the cause, the evidence and the timeline.
struct EvidenceExplanation {
    let explanation: Explanation

    init(_ archive: HARFile) {
        let evidence = Evidence(archive.exchanges, isCut: archive.isCut)
        let writer = archive.creator.map { " from \($0)" } ?? ""
        let unread = archive.unreadable == 0 ? "" : " Unreadable entries: \(archive.unreadable)."
        let cut = archive.isCut ? " The file is cut off or damaged: later requests are missing." : ""
        explanation = Self.explanation(
            .har, evidence, CauseRules.judgements(of: evidence),
            "A recording\(writer): \(archive.exchanges.count) \(archive.exchanges.count == 1 ? "request" : "requests"), "
                + "\(evidence.steps.count) to sign-in endpoints.\(unread)\(cut)",
            timeline: evidence.steps.map { Self.row($0, evidence.unit) })
    }

    /// Responses alone.
    init(responses evidence: Evidence) { self.init(responses: evidence, CauseRules.judgements(of: evidence)) }

    init(responses evidence: Evidence, _ judgements: CauseRules.Judgements) {
        let statuses = evidence.exchanges.map(\.status).filter { $0 != 0 }.map { "HTTP \($0)" }
        explanation = Self.explanation(
            .response, evidence, judgements,
            statuses.isEmpty
                ? "A server's error response." : "A server's response (\(statuses.joined(separator: ", "))).",
            timeline: evidence.steps.map { Self.row($0, evidence.unit) })
    }

    /// `nil` for a text of an unknown program without a request of a sign-in or a known cause.
    init?(log evidence: Evidence) { self.init(log: evidence, CauseRules.judgements(of: evidence)) }

    init?(log evidence: Evidence, _ judgements: CauseRules.Judgements) {
        guard let log = evidence.log,
            log.writer != nil || log.success != nil || evidence.hasSignIn || !judgements.causes.isEmpty
        else { return nil }
        let origin = log.writer.map { " from \($0.rawValue)" }
        let isAlone = log.lines == 1 && origin == nil && !evidence.hasSignIn
        let error = isAlone ? judgements.causes.first?.headline : nil
        explanation = Self.explanation(
            error == nil ? .log : .errorCode, evidence, judgements,
            error ?? "A log\(origin ?? ""), \(log.lines) \(log.lines == 1 ? "line" : "lines").",
            timeline: evidence.steps.map { Self.row($0, evidence.unit) })
    }

    /// An error of `keyturn` alone; `nil` if the text has none.
    init?(ownErrorIn text: LogFile) {
        guard let own = text.ownError else { return nil }
        let evidence = Evidence(text)
        var explanation = Self.explanation(
            .errorCode, evidence, CauseRules.judgements(of: evidence), "An error from Keyturn. \(own.outcome)")
        explanation.sections += own.rejections(in: text).map { Explanation.Section($0) }
        self.explanation = explanation
    }

    private static func explanation(
        _ kind: Explanation.Kind, _ evidence: Evidence, _ judgements: CauseRules.Judgements, _ summary: String,
        timeline: [Explanation.Row] = []
    ) -> Explanation {
        let (causes, excluded) = judgements
        let missing = evidence.hasSignIn ? MissingEvidence(evidence, for: causes.first) : nil
        var findings = findings(causes, evidence)
        if evidence.isCut {
            findings.append(
                CheckFinding(
                    "Recording", .warning, "The recording is cut off: later requests are missing.",
                    fix: "Export it again, and check the free disk space."))
        }
        if kind == .har, findings.isEmpty, evidence.steps.isEmpty {
            findings = [
                CheckFinding(
                    "Sign-in", .warning, "The recording contains no request to a sign-in endpoint.",
                    fix: "Start recording before the sign-in, turn on \"Preserve log\", and export again.")
            ]
        }
        var explanation = Explanation(
            kind,
            findings.isEmpty
                ? "\(summary) No known cause of a failed sign-in found."
                : isGuess(causes) ? "\(summary) It doesn't show the cause." : summary,
            sections: causes.compactMap { evidenceSection($0, evidence) }
                + background(evidence.hasSignIn ? excluded : [], missing) + [.init(title: "Timeline", rows: timeline)],
            findings: findings)
        explanation.cause = causes.first?.id
        explanation.causeTicket = causes.first.map { Ticket($0, in: evidence, missing: missing?.needed ?? []) }
        let diagram = SequenceDiagram(evidence)
        guard !diagram.arrows.isEmpty else { return explanation }
        explanation.diagram = diagram
        explanation.messages = evidence.steps.prefix(Explanation.Message.most).map(Explanation.Message.init)
        explanation.failingArrow = causes.first.flatMap(diagram.failing)
        return explanation
    }

    /// What the requests exclude, and what they lack.
    private static func background(_ excluded: [Exclusion], _ missing: MissingEvidence?) -> [Explanation.Section] {
        [.folded("Ruled out", excluded.map(\.row)), .folded("Missing", missing?.needed ?? [])].compactMap(\.self)
    }

    /// Whether the evidence shows none of the causes.
    private static func isGuess(_ causes: [Cause]) -> Bool {
        !causes.isEmpty && causes.allSatisfy { $0.strength == .guessed }
    }

    private static func findings(_ causes: [Cause], _ evidence: Evidence) -> [CheckFinding] {
        let outcome = outcome(evidence, causes)
        return [outcome].compactMap(\.self)
            + causes.enumerated().map { index, cause in
                cause.finding(isFirst: index == 0 && (outcome == nil || evidence.isAfterSignIn(cause)))
            }
    }

    /// `nil` for requests in a log with a cause: the program may reject the tokens later.
    private static func outcome(_ evidence: Evidence, _ causes: [Cause]) -> CheckFinding? {
        let last = causes.flatMap(\.positions).max() ?? 0
        if let success = evidence.lastSuccess, success > last {
            return CheckFinding(
                "Sign-in", .passed,
                causes.isEmpty
                    ? "The sign-in succeeded: the program got a token."
                    : "It worked in the end: the program got a token after these problems.")
        }
        guard causes.isEmpty || evidence.log == nil, let step = evidence.success else { return nil }
        return CheckFinding(
            "Sign-in", .passed,
            step.role == .token
                ? "The sign-in succeeded: the authority returned tokens."
                : "The sign-in succeeded in the browser. The program's log shows whether it redeemed the code.")
    }

    /// Nil without facts in a text of one line, whose number says nothing.
    private static func evidenceSection(_ cause: Cause, _ evidence: Evidence) -> Explanation.Section? {
        let position = Explanation.Row(evidence.unit.capitalized, positions(cause))
        let rows =
            cause.facts.map(\.row).filter { !$0.value.isEmpty } + (evidence.log?.lines == 1 ? [] : [position])
        return rows.isEmpty
            ? nil : Explanation.Section(title: Explanation.evidenceTitle(of: cause.subject), rows: rows)
    }

    private static func positions(_ cause: Cause) -> String {
        Set(cause.positions).sorted().map(String.init).joined(separator: ", ")
    }

    /// A step without its parameters, which can be secret.
    private static func row(_ step: Evidence.Step, _ unit: String) -> Explanation.Row {
        let exchange = step.exchange
        let error = step.rejection.map { " " + $0.names.joined(separator: " ") }
        return Explanation.Row(
            "\(unit.capitalized) \(exchange.number)",
            "\(step.title)  \(Privacy.host(exchange.host))  \(exchange.statusName)\(error ?? "")")
    }
}
