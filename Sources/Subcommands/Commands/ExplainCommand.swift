import Diagnosis
import Foundation
import Glibc
import MSAL
import POSIX

/// `keyturn explain`. Works without a network.
package struct ExplainCommand: Subcommand {
    static let infoPlist = Option(
        "info-plist", argument: "FILE", "Info.plist of the redirect URI's application")

    package static let specification = CommandSpecification(
        name: "explain", summary: "Explain an error, URL, token, recording or log",
        discussion: """
            Explains an error code (-50002, invalid_grant, AADSTS50076) or a text that contains one, a sign-in URL, an
            authorization response, a redirect URI or a token. FILE can also be a browser's recording (HAR) or an MSAL log:
            the output then names the cause of the failed sign-in, with evidence. Sends no requests.

            Use - to read standard input, which keeps secrets out of the shell's history. Shows only the length of a
            value that may be secret. Doesn't verify tokens. Exits with 1 if the input is not recognised.
            """,
        options: [infoPlist, OutputFormat.option], operand: "FILE|CODE|URL|TOKEN",
        examples: ["keyturn explain AADSTS50076", "keyturn explain customer.har", "keyturn explain -"])

    private let settings: Settings
    private let operand: String
    private let plist: String?
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        operand = options.operands.first ?? ""
        plist = options[Self.infoPlist]
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let explainer = try explainer(at: surroundings.now())
        let evidence = try await evidence(in: surroundings)
        let explanation: Explanation
        do throws(Explainer.Refusal) {
            explanation = try explainer.explain(file: evidence ?? Array(operand.utf8))
        } catch {
            throw failure(error, of: evidence == nil ? operand : nil)
        }
        let report = ExplanationReport(explanation: explanation, now: surroundings.now())
        try surroundings.output.write(format == .json ? report.json : report.text)
        return .done
    }

    /// The bytes of the file that the operand names, or of standard input; `nil` if it names no file.
    private func evidence(in surroundings: Surroundings) async throws(CommandFailure) -> [UInt8]? {
        let limit = Explainer.maximumFileSize
        if operand == "-" { return Array(await surroundings.input(mostBytes: limit).utf8) }
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(operand, atMost: limit)
        } catch {
            // A code or an address names no file.
            guard !error.isMissing, error != .system(ENAMETOOLONG) else { return nil }
            throw CommandFailure(
                .failed, name: "unreadable", "Can't read \(operand): \(error.reason).", nextStep: "Name another file.")
        }
        guard bytes.count <= limit else {
            throw CommandFailure(
                .failed, name: "tooLarge", "\(operand) is larger than \(limit >> 20) MiB.",
                nextStep: "Record the sign-in alone, or keep only the hosts of the sign-in.")
        }
        return bytes
    }

    private func explainer(at now: Date) throws -> Explainer {
        let document = try plist.map { try PropertyListFile.read($0) } ?? EmbeddedResource.infoPlist
        do {
            return try Explainer(
                clientID: settings.clientID ?? "", infoPlist: Array(document), hasInfoPlist: plist != nil, now: now)
        } catch {
            throw CommandFailure(
                .configuration, name: "infoPlist", error.reason, nextStep: "Give another file with --info-plist.")
        }
    }

    /// - Parameter text: the operand, if it isn't a file. Not repeated, because it can be a secret.
    private func failure(_ refusal: Explainer.Refusal, of text: String?) -> CommandFailure {
        switch refusal {
        case .empty:
            CommandFailure(
                .failed, name: "empty", "The input is empty.", nextStep: "Record the sign-in or copy the error again.")
        case .cutOff:
            CommandFailure(
                .failed, name: "cutOff", "The recording is cut off before its first request.",
                nextStep: "Export it again, and check the free disk space.")
        case .compressed:
            CommandFailure(
                .failed, name: "compressed", "The file is compressed.", nextStep: "Unpack it, then explain its files.")
        case .unknown: unknown(text)
        }
    }

    private func unknown(_ text: String?) -> CommandFailure {
        let near = text.flatMap { $0.count < 60 ? nearest(to: $0, in: ErrorDictionary.bundled.names) : nil }
        if near == nil, text?.namesFile ?? false {
            return CommandFailure(
                .failed, name: "missing", "The file doesn't exist.", nextStep: "Check its name and folder.")
        }
        return CommandFailure(
            .failed, name: "unknown", "Not recognised as an error code, URL, token, recording or log.",
            nextStep: near.map { "Did you mean \($0)?" }
                ?? "Enter an error code, a whole URL in quotes, a whole token or a file.")
    }
}

extension String {
    /// Whether the text looks like the name of a file: a path, or a name with the extension of a log or recording.
    fileprivate var namesFile: Bool {
        let end = lowercased().split(separator: ".").last.map(String.init) ?? ""
        return hasPrefix("/") || hasPrefix("./") || hasPrefix("../") || hasPrefix("~/")
            || contains(".") && ["har", "log", "txt", "json", "plist", "zip", "gz"].contains(end)
    }
}
