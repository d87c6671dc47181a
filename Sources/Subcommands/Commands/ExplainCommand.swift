import Console
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// `keyturn explain`. Needs the network only for the keys of a token.
package struct ExplainCommand: Subcommand {
    static let infoPlist = Option("info-plist", of: "explain", argument: "FILE")
    static let redact = Option("redact", argument: "OUT")
    static let review = Option("review")
    static let hide = Option("hide", argument: "TEXT", isRepeatable: true)
    static let caseFiles = Option("case", argument: "OUT")
    static let diagram = Option("diagram", argument: "FORMAT", choices: SequenceDiagram.Format.allCases.map(\.rawValue))
    static let ticket = Option("answer", argument: "READER", choices: Ticket.Reader.allCases.map(\.rawValue))
    static let beside = Option("beside", argument: "FILE")

    package static let specification = CommandSpecification(
        name: "explain",
        options: [
            infoPlist, redact, hide, review, caseFiles, diagram, ticket, beside, CheckCommand.offline,
            OutputFormat.option,
        ], operand: "FILE|CODE|URL|TOKEN")

    @Boxed private var settings: Settings
    private let options: ParsedOptions
    private var operand: String { options.operands.first ?? "" }
    private var copy: String? { options[Self.redact] }
    private var caseFolder: String? { options[Self.caseFiles] }
    private var format: OutputFormat { OutputFormat(options) }

    package init(_ options: ParsedOptions) throws(UsageError) {
        try Self.rejectConflicts(options)
        settings = try Settings(options)
        self.options = options
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
        if options.has(Self.review) { return try await review(in: surroundings) }
        let explainer = try explainer(at: surroundings.now())
        let evidence =
            operand == "-"
            ? EvidenceInput(standardInput: try await surroundings.input(mostBytes: Explainer.maximumFileSize))
            : try EvidenceInput(operand)
        if let other = options[Self.beside] { return try compare(evidence, with: other, explainer, in: surroundings) }
        let diagram = options[Self.diagram].flatMap(SequenceDiagram.Format.init)
        let examined = try evidence.examined(
            by: explainer, copies: copy != nil || caseFolder != nil || diagram == .html, settings,
            hiding: options.all(Self.hide))
        var explanation = examined.explanation
        if explanation.kind == .token, !options.has(CheckCommand.offline) {
            explanation = await TokenVerification(
                token: evidence.token,
                certificateAuthorityFile: settings.certificateAuthorityFile(in: surroundings.environment)
            ).complete(explanation)
        }
        if let redaction = examined.copy, copy != nil || caseFolder != nil {
            try write(redaction, of: evidence)
            explanation = explanation.adding(redaction)
            if let loss = redaction.loss {
                surroundings.tell("\(loss.sentence)\nTell the cause with the copy. --review shows what it hides.\n")
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
        if let reader = options[Self.ticket].flatMap(Ticket.Reader.init) {
            guard let told = explanation.ticket else {
                // What it is, because "no problem" would say that everything was checked.
                let summary = Printable.sanitize(explanation.summary)
                throw Failure(
                    .failed, name: "noAnswer", "The input names no failure. It is: \(summary)",
                    nextStep: "Explain it without --answer to see its content and what was checked.")
            }
            let lines = told.text(for: reader).split(separator: "\n").map { "\(Printable.sanitize($0))\n" }
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

    private func review(in surroundings: Surroundings) async throws -> ExitCode {
        guard surroundings.hasTerminal || settings.isPlain else { throw UsageError.needsTerminal }
        guard operand != "-" else {
            throw Failure(
                .usage, name: "reviewNeedsFile", "--review needs a file, because the terminal takes the keys.",
                nextStep: "Save the input to a file.")
        }
        // A file that can't be explained is an error here, not on the screen.
        _ = try EvidenceInput(operand).examined(by: explainer(at: surroundings.now()), copies: false, settings)
        try await DemoSession.use(in: surroundings) { demo, surroundings in
            try await TerminalProgram.run(
                settings.programStart(in: surroundings.environment), settings, demo,
                { ($0.reviewed, $0.hiddenTexts) = (operand, options.all(Self.hide)) }, in: surroundings)
        }
        return .done
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
        let plist = options[Self.infoPlist]
        let document = try plist.map { try PropertyListFile.read($0) } ?? EmbeddedResource.infoPlist
        do {
            return try Explainer(
                clientID: settings.clientID ?? "", infoPlist: Array(document), hasInfoPlist: plist != nil, now: now)
        } catch {
            throw PropertyListFile.unusable(error.reason)
        }
    }
}
