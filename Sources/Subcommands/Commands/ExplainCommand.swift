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
            Explains an error code (-50002, invalid_grant, AADSTS50076), a sign-in URL, an authorization response, a
            redirect URI or a token. FILE can also be a browser's recording (HAR) or a log of MSAL: the output then names
            the cause of the failed sign-in and its proof. Sends no requests.

            Use - to read standard input, which keeps secrets out of the shell's history. Never prints authorization
            codes, tokens or signatures, and doesn't verify tokens. Exits with 1 if the input is not recognised.
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
        guard let explanation = evidence.map(explainer.explain(file:)) ?? explainer.explain(operand) else {
            throw unknown(evidence == nil ? operand : "")
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

    /// Never repeats the text, which can be a secret.
    private func unknown(_ text: String) -> CommandFailure {
        let near = text.count < 60 ? nearest(to: text, in: ErrorDictionary.bundled.names) : nil
        return CommandFailure(
            .failed, name: "unknown", "Not recognised as an error code, URL, token, recording or log.",
            nextStep: near.map { "Did you mean \($0)?" }
                ?? "Enter an error code, a whole URL in quotes, a whole token or a file.")
    }
}
