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
extension Explanation {
    init(_ archive: HARFile) {
        let evidence = Evidence(archive.exchanges, isCut: archive.isCut)
        let writer = archive.creator.map { " from \($0)" } ?? ""
        let unread = archive.unreadable == 0 ? "" : " Unreadable entries: \(archive.unreadable)."
        let cut = archive.isCut ? " The file is cut off or damaged: later requests are missing." : ""
        self.init(
            .har, evidence, nil,
            "A recording\(writer): \(archive.exchanges.count) \(archive.exchanges.count == 1 ? "request" : "requests"), "
                + "\(evidence.steps.count) to sign-in endpoints.\(unread)\(cut)")
    }

    /// Responses alone.
    init(responses evidence: Evidence, _ known: CauseRules.Judgements? = nil) {
        let statuses = evidence.exchanges.map(\.status).filter { $0 != 0 }.map { "HTTP \($0)" }
        self.init(
            .response, evidence, known,
            statuses.isEmpty
                ? "A server's error response." : "A server's response (\(statuses.joined(separator: ", "))).")
    }

    /// `nil` for a text of an unknown program without a request of a sign-in or a known cause.
    init?(log evidence: Evidence, _ known: CauseRules.Judgements? = nil) {
        let judgements = known ?? CauseRules.judgements(of: evidence)
        guard let log = evidence.log,
            log.writer != nil || log.success != nil || evidence.hasSignIn || !judgements.causes.isEmpty
        else { return nil }
        let origin = log.writer.map { " from \($0.rawValue)" }
        let isAlone = log.lines == 1 && origin == nil && !evidence.hasSignIn
        let error = isAlone ? judgements.causes.first?.headline : nil
        self.init(
            error == nil ? .log : .errorCode, evidence, judgements,
            error ?? "A log\(origin ?? ""), \(log.lines) \(log.lines == 1 ? "line" : "lines").")
    }

    /// An error of `keyturn` alone; `nil` if the text has none.
    init?(ownErrorIn text: LogFile) {
        guard let own = text.ownError else { return nil }
        self.init(.errorCode, Evidence(text), nil, "An error from Keyturn. \(own.outcome)")
        sections += own.rejections(in: text).map { Section($0) }
    }

    private init(_ kind: Kind, _ evidence: Evidence, _ known: CauseRules.Judgements?, _ summary: String) {
        let (causes, excluded) = known ?? CauseRules.judgements(of: evidence)
        let missing = evidence.hasSignIn ? MissingEvidence(evidence, for: causes.first) : nil
        var findings = Self.findings(causes, evidence)
        if evidence.isCut { findings.append(CheckFinding(named: "recording-cut-off")) }
        if kind == .har, findings.isEmpty, evidence.steps.isEmpty {
            findings = [CheckFinding(named: "recording-without-sign-in")]
        }
        let timeline = evidence.steps.map { Self.row($0, evidence.unit) }
        self.init(
            kind,
            findings.isEmpty
                ? "\(summary) No known cause of a failed sign-in found."
                : Self.isGuess(causes) ? "\(summary) It doesn't show the cause." : summary,
            sections: causes.compactMap { Self.evidenceSection($0, evidence) }
                + Self.background(evidence.hasSignIn ? excluded : [], missing) + [
                    .init(title: "Timeline", rows: timeline)
                ],
            findings: findings)
        cause = causes.first?.id
        causeTicket = causes.first.map { Ticket($0, in: evidence, missing: missing?.needed ?? []) }
        let diagram = SequenceDiagram(evidence)
        guard !diagram.arrows.isEmpty else { return }
        self.diagram = diagram
        messages = evidence.steps.prefix(Message.most).map(Message.init)
        failingArrow = causes.first.flatMap(diagram.failing)
    }

    /// What the requests exclude, and what they lack.
    private static func background(_ excluded: [Exclusion], _ missing: MissingEvidence?) -> [Section] {
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
            return CheckFinding(named: causes.isEmpty ? "signed-in" : "signed-in-in-the-end")
        }
        guard causes.isEmpty || evidence.log == nil, let step = evidence.success else { return nil }
        return CheckFinding(named: step.role == .token ? "tokens-returned" : "code-returned")
    }

    /// Nil without facts in a text of one line, whose number says nothing.
    private static func evidenceSection(_ cause: Cause, _ evidence: Evidence) -> Section? {
        let position = Row(evidence.unit.capitalized, positions(cause))
        let rows =
            cause.facts.map(\.row).filter { !$0.value.isEmpty } + (evidence.log?.lines == 1 ? [] : [position])
        return rows.isEmpty
            ? nil : Section(title: evidenceTitle(of: cause.subject), rows: rows)
    }

    private static func positions(_ cause: Cause) -> String {
        Set(cause.positions).sorted().map(String.init).joined(separator: ", ")
    }

    /// A step without its parameters, which can be secret.
    private static func row(_ step: Evidence.Step, _ unit: String) -> Row {
        let exchange = step.exchange
        let error = step.rejection.map { " " + $0.names.joined(separator: " ") }
        return Row(
            "\(unit.capitalized) \(exchange.number)",
            "\(step.title)  \(Privacy.host(exchange.host))  \(exchange.statusName)\(error ?? "")")
    }
}
