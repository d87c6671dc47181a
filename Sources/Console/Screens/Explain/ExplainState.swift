import Diagnosis
import MSAL
import TerminalUI

extension Destination {
    static let explain = Destination(ExplainEntry())

    static func explanation(of text: String) -> Destination {
        Destination(ExplainState(text)) { .explain(text, $0.profile, isOffline: $0.isOffline) }
    }

    /// - Parameter text: the explained text, or the name of its file.
    static func explanation(_ explained: Explained, of text: String) -> Destination {
        Destination(ExplainState(text, .success(explained)))
    }
}

/// The explanation of evidence: the cause, its evidence, the next step, links and details.
struct ExplainState: TextScreen, CopyingScreen, WorkingScreen {
    static var howToOpen: String { "Explain something with \(Verb.explain.label)." }
    enum Layer: String, KeyLayer { case all = "Explanation" }

    static let cover = Cover.watching
    static let closing = Wait.Closing.cancel

    /// The text or the name of the file, for a redacted copy. Never shown.
    private let source: String
    var running: EffectID?
    private var outcome: Outcome<Explained>?
    private var showsDiagram = false
    /// Whether what was ruled out and what is missing is shown line by line.
    private var unfolds = false
    var pane = TextPane()

    init(_ source: String, _ outcome: Outcome<Explained>? = nil) { (self.source, self.outcome) = (source, outcome) }

    func title(_ context: Context) -> String { explained?.name.map { "Explanation of \($0)" } ?? Layer.all.rawValue }

    private var explained: Explained? { try? outcome?.get() }

    private var diagram: SequenceDiagram? { showsDiagram ? explained?.explanation.diagram : nil }

    func text(in area: Rect, _ context: Context) -> [StyledLine] {
        let width = area.width - ScrollingText.margin
        if let diagram { return Self.lines(of: diagram, width: width, context) }
        return switch outcome {
        case nil: [StyledLine("Reading the input.", .muted)]
        case .failure(let report): StyledLine.problem(report, width: width, glyphs: context.glyphs)
        case .success(let explained):
            ExplanationLines(explanation: explained.explanation, unfolds: unfolds, width: width, context: context).all
        }
    }

    /// The picture, and below it the arrows in words. A narrow window shows only the words.
    private static func lines(of diagram: SequenceDiagram, width: Int, _ context: Context) -> [StyledLine] {
        let picture = SequenceText(diagram, width: width, glyphs: context.glyphs)
        let drawn = width < SequenceText.narrowest ? [] : [picture.heading] + picture.lines + [.empty]
        return drawn + diagram.sentences.flatMap { StyledLine.wrap(Printable.sanitize($0), to: width) }
    }

    func copyable(_ context: Context) -> CopiedText? {
        if let diagram { return CopiedText("the diagram", fileName: "diagram.md", diagram.text(.markdown)) }
        return explained.map { CopiedText("the explanation", fileName: "explanation.txt", text($0.explanation)) }
    }

    private static func hasRequests(_ state: ExplainState, _ context: Context) -> Availability {
        Availability(state.explained?.explanation.diagram != nil, else: "The input contains no requests.")
    }

    private static func isExplained(_ state: ExplainState, _ context: Context) -> Availability {
        Availability(state.explained != nil, else: "There is nothing to copy.")
    }

    private var ticket: Ticket? { explained?.explanation.ticket }

    static let commands: [Command] =
        [
            Command(
                "diagram", .verb(.inspect), "Show the sequence diagram, or the explanation.", hint: "diagram",
                if: hasRequests, do: changing { ($0.showsDiagram, $0.top) = (!$0.showsDiagram, 0) }),
            Command(
                "unfold", .verb(.details), "Show or fold what was ruled out, and what is missing.", hint: "details",
                inLines: .absent,
                if: { state, _ in
                    let hasFolded = state.explained?.explanation.sections.contains(where: \.isFolded) ?? false
                    return Availability(state.diagram == nil && hasFolded, else: "Nothing is folded.")
                },
                do: changing { $0.unfolds.toggle() }),
            Command(
                "walkCase", .verb(.scenarios), "Play the recorded messages one after the other.", hint: "walk",
                if: hasRequests
            ) { state, _ in state.explained.map { .open(.caseWalk($0)) } ?? .none },
            Command(
                "beside", .verb(.compare), "Compare with a recording that works, up to the first difference.",
                hint: "compare", if: hasRequests
            ) { state, _ in .open(.beside(state.source, name: state.explained?.name)) },
            Command(
                "answer", .verb(.ticket), "Copy a short answer: what happened, what to do, who must do it.",
                hint: "answer",
                if: { state, _ in Availability(state.ticket != nil, else: "The input shows no problem to answer.") }
            ) { state, context in
                guard let ticket = state.ticket else { return .none }
                let text = CopiedText("the answer", fileName: "answer.txt", ticket.text(for: ticket.reader))
                return .start(context.work(.copy(text)))
            },
            Command(
                "redact", .verb(.export), "Export a copy of the input without secrets, names or addresses.",
                hint: "redacted copy", if: isExplained
            ) { state, _ in
                let hasRequests = state.explained?.explanation.diagram != nil
                return .open(
                    .export(Export.copies(of: state.source, file: state.explained?.name, hasRequests: hasRequests)))
            },
            Command("review", .verb(.edit), "Show a redacted copy beside the input.", if: isExplained) { state, _ in
                .open(.review(of: state.source))
            },
            Command("explainAnother", .verb(.explain), "Explain something else.", hint: "another") { _, _ in
                .move(.replace(.explain))
            },
            copy("Copy the explanation or the diagram to the clipboard."), saveCopy(),
        ] + moving() + finding(explains: false) + leaving()

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .explained(let outcome) = result { self.outcome = outcome }
        return .none
    }

    func lines(_ context: Context) -> [String] {
        if let diagram { return diagram.sentences }
        return switch outcome {
        case nil: ["Reading the input."]
        case .failure(let report): ["Not explained. \(report.reason) \(report.screenAdvice)"]
        case .success(let explained): text(explained.explanation).split(separator: "\n").map(String.init)
        }
    }

    private func text(_ explanation: Explanation) -> String {
        let findings = explanation.findings.map { finding in
            "\(finding.verdict.rawValue): "
                + (finding.subject.isErrorCode
                    ? "\(finding.sentences) (\(finding.subject))" : "\(finding.subject): \(finding.sentences)")
        }
        let sections = explanation.toldSections.flatMap { section in
            guard !section.isFolded else { return ["\(section.title): \(section.short)"] }
            return [section.title]
                + section.rows.map {
                    "  " + [$0.name, $0.value, $0.meaning].compactMap(\.self).joined(separator: "  ")
                }
        }
        let links = explanation.links.map { "See \($0)" }
        return (findings + [explanation.summary] + links + sections).map(Printable.sanitize).joined(separator: "\n")
            + "\n"
    }
}

private struct ExplanationLines {
    let explanation: Explanation
    let unfolds: Bool
    let width: Int
    @Boxed var context: Context

    var all: [StyledLine] {
        let proofs = Set(explanation.findings.map { Explanation.evidenceTitle(of: $0.subject) })
        let rest = explanation.toldSections.filter { !proofs.contains($0.title) }
        let findings = explanation.findings.flatMap { finding in
            let who = finding == explanation.firstProblem ? explanation.ticket?.who.words : nil
            return verdict(finding) + facts(explanation.evidence(of: finding))
                + StyledLine.facts(
                    [("Fix", finding.fix.map(Printable.sanitize)), ("Who", who)], width: width, glyphs: context.glyphs)
                + [.empty]
        }
        let links = explanation.links.enumerated().map { index, link in
            (name: index == 0 ? "More" : "", value: Optional(link))
        }
        // The meaning of an error is the answer. A recording's summary only names what was read.
        let style = explanation.kind == .errorCode && findings.isEmpty ? Style(.title, .bold) : .muted
        return findings + StyledLine.wrap(Printable.sanitize(explanation.summary), to: width, style: style)
            + StyledLine.facts(links, width: width, glyphs: context.glyphs)
            + rest.flatMap(lines)
    }

    private func lines(_ section: Explanation.Section) -> [StyledLine] {
        guard !section.isFolded || unfolds else {
            let names = Printable.sanitize(section.rows.map(\.name).joined(separator: ", "))
            return StyledLine.facts([(section.title, names)], width: width, glyphs: context.glyphs)
        }
        return [.empty, StyledLine(Printable.sanitize(section.title), Style(.title, .bold))] + facts(section.rows)
    }

    /// What was found. The number of an error is below its meaning.
    private func verdict(_ finding: CheckFinding) -> [StyledLine] {
        let isCode = finding.subject.isErrorCode
        let text = isCode ? finding.fact : "\(finding.subject): \(finding.fact)"
        return StyledLine.wrap(
            Printable.sanitize("\(finding.verdict.mark(context.glyphs)) \(text)"), to: width,
            style: finding.verdict.style.adding(.bold))
            + StyledLine.facts(
                [("Error", isCode ? Printable.sanitize(finding.subject) : nil)], width: width, glyphs: context.glyphs)
    }

    private func facts(_ rows: [Explanation.Row]) -> [StyledLine] {
        StyledLine.facts(
            rows.flatMap { row in
                [
                    (Printable.sanitize(row.name), row.value.isEmpty ? "–" : Printable.sanitize(row.value)),
                    ("", row.meaning.map(Printable.sanitize)),
                ]
            }, width: width, glyphs: context.glyphs)
    }
}

extension String {
    /// Whether a finding's subject is the number or name of an error, such as AADSTS50011 or `invalid_grant`.
    fileprivate var isErrorCode: Bool { !contains(" ") && (contains("_") || contains(where: \.isNumber)) }
}

struct ExplainEntry: EntryScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Explain" }

    static let closing = Wait.Closing.cancel

    var entry = DialogField()
    /// The reading of the text or its file, or of the folder whose names complete it.
    var running: EffectID?

    func message(_ context: Context) -> String {
        running == nil ? "\(Self.message) \(context.keyRequests)" : "Reading the input."
    }

    private static let message = "Paste an error, a URL, a token, a response or a log, or enter the name of a file."

    /// The end of the text. Only the length of a text that can be secret, because anyone who sees a token can use it.
    func shown(in width: Int, _ context: Context) -> String {
        let isSecret = !isPath && (entry.text.contains("=") || entry.text.contains("eyJ"))
        return isSecret ? Moment.count(entry.text.count, "character") : field.tail(in: width)
    }

    private var isPath: Bool { ["/", "./", "../", "~/"].contains(where: TypedFileName(field.text).path.hasPrefix) }

    static let commands: [Command] = [
        Command("explainText", [.enter], "Explain the text or the file.", hint: "explain", inLines: .absent) {
            $0.submit(&$1)
        },
        Command(
            "complete", [.tab], "Complete the name of a file, or list the names in a folder.", hint: "complete",
            inLines: .absent
        ) { $0.complete(&$1) },
        offline, back("Discard the text and go back.", hint: "back"), interrupt,
    ]

    private mutating func submit(_ context: inout Context) -> Reaction {
        guard running == nil, !field.isEmpty else { return .none }
        if isPath, field.text.hasSuffix("/") { return complete(&context) }
        entry.hush()
        return start(.explain(field.text, context.profile, isOffline: context.isOffline), &context)
    }

    private mutating func complete(_ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        entry.hush()
        return start(.listFolder(TypedFileName(field.text).folder), &context)
    }

    /// Explains a paste at once. A paste into a text becomes part of it.
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        guard !field.isEmpty else { return .move(.replace(.explanation(of: text))) }
        entry.insert(text)
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .explained(let outcome) = result { return finish(outcome, &context) }
        if case .folder(let outcome) = result { entry.complete(among: outcome) }
        return .none
    }

    private mutating func finish(_ outcome: Outcome<Explained>, _ context: inout Context) -> Reaction {
        switch outcome {
        case .success(let explained): return .move(.replace(.explanation(explained, of: field.text)))
        case .failure(let report) where report.name == "folder":
            if !field.text.hasSuffix("/") { entry = DialogField(field.text + "/") }
            return complete(&context)
        case .failure(let report):
            entry.tell(report)
            return .none
        }
    }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: "Error, URL, token or file", isSecret: true)
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        text.isEmpty ? .move(.back) : .move(.replace(.explanation(of: text)))
    }
}
