import Console
import Diagnosis
import Foundation
import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

/// `keyturn explain`. Needs the network only for the keys of a token.
package struct ExplainCommand: Subcommand {
    static let infoPlist = Option(
        "info-plist", argument: "FILE", "Info.plist of the application, to check a redirect URI against")

    static let redact = Option(
        "redact", argument: "OUT", "File for a copy without secrets, names or addresses")

    static let review = Option("review", "Show the copy beside the original, in the terminal program")

    static let hide = Option(
        "hide", argument: "TEXT", isRepeatable: true, "Hide this text in the copy, in capitals and small letters")

    static let caseFiles = Option(
        "case", argument: "OUT",
        "Folder or .zip file for the copy, the answer, the handout and the versions; .html for the handout alone")

    static let diagram = Option(
        "diagram", argument: "FORMAT", choices: SequenceDiagram.Format.allCases.map(\.rawValue),
        "Print the sequence diagram of the recorded requests")

    static let ticket = Option(
        "answer", argument: "READER", choices: Ticket.Reader.allCases.map(\.rawValue),
        "Print a short text for a ticket or a mail instead")

    static let beside = Option(
        "beside", argument: "FILE",
        "Compare with a recording that works")

    package static let specification = CommandSpecification(
        name: "explain",
        options: [
            infoPlist, redact, hide, review, caseFiles, diagram, ticket, beside, CheckCommand.offline,
            OutputFormat.option,
        ], operand: "FILE|CODE|URL|TOKEN")

    @Boxed private var settings: Settings
    private let operand: String
    private let plist: String?
    private let copy: String?
    private let caseFolder: String?
    private let hidden: [String]
    private let reviews: Bool
    private let diagram: SequenceDiagram.Format?
    private let ticket: Ticket.Reader?
    private let beside: String?
    private let isOffline: Bool
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        try Self.rejectConflicts(options)
        settings = try Settings(options)
        operand = options.operands.first ?? ""
        plist = options[Self.infoPlist]
        copy = options[Self.redact]
        caseFolder = options[Self.caseFiles]
        hidden = options.all(Self.hide)
        reviews = options.has(Self.review)
        diagram = options[Self.diagram].flatMap(SequenceDiagram.Format.init)
        ticket = options[Self.ticket].flatMap(Ticket.Reader.init)
        beside = options[Self.beside]
        isOffline = options.has(CheckCommand.offline)
        format = OutputFormat(options)
    }

    /// What the command shows instead of the explanation.
    private static let outputs = [review, beside, diagram, ticket]

    /// No option is ignored silently.
    private static func rejectConflicts(_ options: ParsedOptions) throws(UsageError) {
        let outputs = outputs.filter { options.has($0) || options[$0] != nil }
        if outputs.count > 1 { throw .both("--\(outputs[0].long)", "--\(outputs[1].long)") }
        let files = [redact, caseFiles].filter { options[$0] != nil }
        if options.all(hide).contains("") { throw .badArgument(hide, argument: "", wanted: "a text of the copy") }
        if options[hide] != nil, files.isEmpty, !options.has(review) {
            throw .unmet(hide, needs: [redact, caseFiles, review])
        }
        let isPrinted = options[redact] == standardOutput
        if let output = outputs.first {
            let writesNothing = [review.long, beside.long].contains(output.long)
            if let file = files.first, writesNothing || isPrinted { throw .both("--\(output.long)", "--\(file.long)") }
            if OutputFormat(options) == .json, output.long != beside.long { throw .both("--\(output.long)", "-o json") }
        }
        if isPrinted, OutputFormat(options) == .json { throw .both("--\(redact.long) -", "-o json") }
        if options[caseFiles] == standardOutput {
            throw .badArgument(
                caseFiles, argument: standardOutput, wanted: "a folder, or a file ending in .zip or .html")
        }
    }

    private static let standardOutput = "-"

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if reviews { return try await review(in: surroundings) }
        let explainer = try explainer(at: surroundings.now())
        let evidence =
            operand == "-"
            ? EvidenceInput(standardInput: try await surroundings.input(mostBytes: Explainer.maximumFileSize))
            : try EvidenceInput(operand)
        if let beside { return try compare(evidence, with: beside, explainer, in: surroundings) }
        let examined = try evidence.examined(
            by: explainer, copies: copy != nil || caseFolder != nil || diagram == .html, settings, hiding: hidden)
        var explanation = examined.explanation
        if explanation.kind == .token, !isOffline {
            explanation = await TokenVerification(
                token: evidence.token,
                certificateAuthorityFile: settings.certificateAuthorityFile(in: surroundings.environment)
            ).complete(explanation)
        }
        if let redaction = examined.copy, copy != nil || caseFolder != nil {
            try write(redaction, of: evidence)
            explanation = explanation.adding(redaction)
            if let loss = redaction.loss {
                surroundings.tell(
                    "\(loss.sentence)\nTell the cause with the copy. --review shows what it hides.\n")
            }
        }
        if let redaction = examined.copy, copy == Self.standardOutput {
            try surroundings.output.write(redaction.text + (redaction.text.hasSuffix("\n") ? "" : "\n"))
            return .done
        }
        if let diagram {
            // A handout is passed on, so it's that of the copy.
            let shown = diagram == .html ? examined.copy?.copied : explanation
            let text = diagram == .html ? shown?.handout?.text(.html) : shown?.diagram?.text(diagram)
            guard let text else { throw Failure.noRequests }
            try surroundings.output.write(text)
            return .done
        }
        if let ticket {
            guard let told = explanation.ticket else { throw Self.nothingToTell(explanation) }
            let lines = told.text(for: ticket).split(separator: "\n").map { "\(Printable.sanitize($0))\n" }
            try surroundings.output.write(lines.joined())
            return .done
        }
        let look = OutputLook(settings, in: surroundings)
        let linksOpen = look.columns != nil && Hyperlink.isPossible(on: surroundings.environment["TERM"])
        let report = ExplanationReport(
            explanation: explanation, copy: examined.copy, now: surroundings.now(), linksOpen: linksOpen)
        try surroundings.output.write(format == .json ? report.json : report.text(look))
        return .done
    }

    private func write(_ copy: Redaction, of evidence: EvidenceInput) throws {
        let file = self.copy.flatMap { $0 == Self.standardOutput ? nil : ExportedFile(path: $0, replaces: false) }
        // Nothing is written if one of them can't be.
        try file?.check()
        if let caseFolder { try CaseOutput(path: caseFolder, replaces: false).write(copy, of: evidence) }
        try file?.write(Data(copy.text.utf8))
    }

    /// Opens the terminal program on the review of the evidence.
    private func review(in surroundings: Surroundings) async throws -> ExitCode {
        guard surroundings.hasTerminal || settings.isPlain else { throw UsageError.needsTerminal }
        guard operand != "-" else { throw Self.reviewNeedsFile }
        // A file that can't be explained is an error here, not on the screen.
        _ = try EvidenceInput(operand).examined(by: explainer(at: surroundings.now()), copies: false, settings)
        try await DemoSession.use(in: surroundings) { demo, surroundings in
            try await TerminalProgram.run(
                settings.programStart(in: surroundings.environment), settings, demo,
                { ($0.reviewed, $0.hiddenTexts) = (operand, hidden) }, in: surroundings)
        }
        return .done
    }

    private static let reviewNeedsFile = Failure(
        .usage, name: "reviewNeedsFile", "--review needs a file, because the terminal takes the keys.",
        nextStep: "Save the input to a file.")

    /// What it is, because "no problem" would say that everything was checked.
    private static func nothingToTell(_ explanation: Explanation) -> Failure {
        Failure(
            .failed, name: "noAnswer", "The input names no failure. It is: \(Printable.sanitize(explanation.summary))",
            nextStep: "Explain it without --answer to see its content and what was checked.")
    }

    private func compare(
        _ evidence: EvidenceInput, with other: String, _ explainer: Explainer, in surroundings: Surroundings
    ) throws -> ExitCode {
        let second = try EvidenceInput(other)
        let option = "--\(Self.beside.long)"
        try second.requireFile(option)
        try evidence.requireRecording()
        try second.requireRecording(option)
        let text = ComparisonText(
            try evidence.compared(with: second, by: explainer), first: operand == "-" ? "the input" : operand,
            second: other)
        try surroundings.output.write(
            format == .json ? text.json : text.lines.map { Printable.sanitize($0) + "\n" }.joined())
        return .done
    }

    private func explainer(at now: Date) throws -> Explainer {
        let document = try plist.map { try PropertyListFile.read($0) } ?? EmbeddedResource.infoPlist
        do {
            return try Explainer(
                clientID: settings.clientID ?? "", infoPlist: Array(document), hasInfoPlist: plist != nil, now: now)
        } catch {
            throw PropertyListFile.unusable(error.reason)
        }
    }
}
