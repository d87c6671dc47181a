import Diagnosis
import Foundation
import MSAL

/// `keyturn explain`: what a code, an address or a token says. Nothing is asked of anybody: it works without a network.
package struct ExplainCommand: Subcommand {
    static let infoPlist = Option(
        "info-plist", argument: "FILE", "judges redirect URIs for the application of this Info.plist, XML or binary")

    package static let specification = CommandSpecification(
        name: "explain", summary: "explains an error code, an address or a token, without a network",
        discussion: """
            Explains an error code (-50002, invalid_grant, AADSTS50076), the address of a sign-in page, the address a
            browser came back with, a redirect URI, or a token. '-' reads it from standard input, so that a secret need not
            stand in the shell's history. Codes, tokens and signatures are not repeated; tokens are not verified.
            Exits with 0 when it was explained, with 1 when it is nothing that is known.
            """,
        options: [infoPlist, OutputFormat.option], operand: "CODE|URL|TOKEN", example: "keyturn explain AADSTS50076")

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
        let text = operand == "-" ? await surroundings.input(mostBytes: Explainer.maximumLength) : operand
        guard let explanation = explainer.explain(text) else { throw unknown(text) }
        let report = ExplanationReport(explanation: explanation, now: surroundings.now())
        try surroundings.output.write(format == .json ? report.json : report.text)
        return .done
    }

    private func explainer(at now: Date) throws -> Explainer {
        let document = try plist.map { try PropertyListFile.read($0) } ?? EmbeddedResource.infoPlist
        do {
            return try Explainer(
                clientID: settings.clientID ?? "", infoPlist: Array(document), hasInfoPlist: plist != nil, now: now)
        } catch {
            throw CommandFailure(
                .configuration, name: "infoPlist", error.reason, nextStep: "Name another with --info-plist.")
        }
    }

    /// It never repeats the text, which may be a secret; only what a short word is near to.
    private func unknown(_ text: String) -> CommandFailure {
        let near = text.count < 60 ? nearest(to: text, in: ErrorDictionary.bundled.names) : nil
        return CommandFailure(
            .failed, name: "unknown", "This is no code, address or token that is known here.",
            nextStep: near.map { "Did you mean \($0)?" }
                ?? "Give an error code, a whole address in quotes, or a whole token.")
    }
}
