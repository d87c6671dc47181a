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

    init?(ownErrorIn text: LogFile) {
        guard let own = text.ownError else { return nil }
        self.init(.errorCode, Evidence(text), nil, "An error from Keyturn. \(own.outcome)")
        sections += own.rejections(in: text).map { Section($0) }
    }

    private init(_ kind: Kind, _ evidence: Evidence, _ known: CauseRules.Judgements?, _ summary: String) {
        let (causes, excluded) = known ?? CauseRules.judgements(of: evidence)
        let missing = evidence.hasSignIn ? evidence.missing(beside: causes.first) : []
        var findings = Self.findings(causes, evidence)
        if evidence.isCut { findings.append(CheckFinding(named: "recording-cut-off")) }
        if kind == .har, findings.isEmpty, evidence.steps.isEmpty {
            findings = [CheckFinding(named: "recording-without-sign-in")]
        }
        let background: [Section?] = [
            .folded("Ruled out", evidence.hasSignIn ? excluded.map(\.row) : []), .folded("Missing", missing),
            .init(title: "Timeline", rows: evidence.steps.map { Self.row($0, evidence.unit) }),
        ]
        self.init(
            kind,
            findings.isEmpty
                ? "\(summary) No known cause of a failed sign-in found."
                : causes.first?.strength == .guessed ? "\(summary) It doesn't show the cause." : summary,
            sections: causes.compactMap { Self.evidenceSection($0, evidence) } + background.compactMap(\.self),
            findings: findings)
        cause = causes.first?.id
        causeTicket = causes.first.map { Ticket($0, in: evidence, missing: missing) }
        let diagram = SequenceDiagram(evidence)
        guard !diagram.arrows.isEmpty else { return }
        self.diagram = diagram
        messages = evidence.steps.prefix(Message.most).map(Message.init)
        failingArrow = causes.first.flatMap(diagram.failing)
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
        let positions = Set(cause.positions).sorted().map(String.init).joined(separator: ", ")
        let position = Row(evidence.unit.capitalized, positions)
        let rows = cause.facts.map(\.row).filter { !$0.value.isEmpty } + (evidence.log?.lines == 1 ? [] : [position])
        return rows.isEmpty ? nil : Section(title: evidenceTitle(of: cause.subject), rows: rows)
    }

    /// A step without its parameters, which can be secret.
    private static func row(_ step: Evidence.Step, _ unit: String) -> Row {
        let error = step.rejection.map { " " + $0.names.joined(separator: " ") } ?? ""
        return Row(
            "\(unit.capitalized) \(step.number)",
            "\(step.title)  \(Privacy.host(step.exchange.host))  \(step.exchange.statusName)\(error)")
    }
}

extension Evidence {
    /// What it lacks, and how to get it. If it proves the first cause, nothing else is needed.
    func missing(beside cause: Cause?) -> [Explanation.Row] {
        if let cause, [.observed, .stated, .coded].contains(cause.strength) { return [] }
        let isReturned = !steps(.response).isEmpty || steps(.token).contains { $0.parameters["code"] != nil }
        let hasCode = steps.contains { $0.role == .response && $0.parameters["code"] != nil || $0.issuedCode != nil }
        let lost = steps.filter {
            [.token, .device, .page, .authorize].contains($0.role) && $0.exchange.body == nil
                && $0.status >= 400 && $0.rejection == nil && !$0.exchange.mayLackResponse
        }.map { "\($0.number)" }.joined(separator: ", ")
        let hidden = ["code", "code_verifier", "refresh_token", "redirect_uri", "state"].filter { name in
            steps.contains { $0.parameters[name] != nil && $0.exchange.shown(name) == nil }
        }.joined(separator: ", ")
        return [
            Self.row("sign-in-request", if: isReturned && steps(.authorize).isEmpty),
            Self.row("token-request", platform.howToLog, if: hasCode && steps(.token).isEmpty),
            Self.row("response-text", "\(unit) \(lost)", Optional<Platform>.none.howToLog, if: !lost.isEmpty),
            Self.row("cookies", if: lacksCookies), Self.row("values", hidden, if: !hidden.isEmpty),
            Self.row("times", if: !steps.isEmpty && !exchanges.contains { $0.time != nil && $0.date != nil }),
        ].compactMap(\.self)
    }

    /// Chromium's default export leaves out what the requests authenticate with.
    private var lacksCookies: Bool {
        log == nil && steps.contains { [.authorize, .page].contains($0.role) }
            && !exchanges.contains { exchange in
                ["Cookie", "Authorization"].contains { exchange.requestHeaders[$0] != nil }
                    || exchange.responseHeaders["Set-Cookie"] != nil
            }
    }

    /// A row of `missing` in `Resources/causes.json`, with the values for each `{}`.
    private static func row(_ name: String, _ values: String..., if isMissing: Bool) -> Explanation.Row? {
        guard isMissing, let row = KnownCause.missing[name], let title = row["title"]?.string,
            let text = row["text"]?.string
        else { return nil }
        var rest = values[...]
        return .init(title, text.filled(with: &rest))
    }
}

extension Platform? {
    /// The command or setting that makes the program log its requests; for an unknown one the program that records those of others.
    var howToLog: String { KnownCause.missing["how"]?[self?.rawValue ?? "other"]?.string ?? "" }
}
