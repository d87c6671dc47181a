import Diagnosis
import Foundation
import MSAL

/// `keyturn explain`. Works without a network.
package struct ExplainCommand: Subcommand {
    static let infoPlist = Option(
        "info-plist", argument: "FILE", "Info.plist of the redirect URI's application")

    package static let specification = CommandSpecification(
        name: "explain", summary: "Explain an error code, URL or token",
        discussion: """
            Explains an error code (-50002, invalid_grant, AADSTS50076), a sign-in URL, an authorization response, a
            redirect URI or a token, without a network. Use - to read it from standard input, which keeps secrets out of
            the shell's history. Never prints codes, tokens or signatures, and doesn't verify tokens. Exits with 1 if
            the input is not recognised.
            """,
        options: [infoPlist, OutputFormat.option], operand: "CODE|URL|TOKEN",
        examples: ["keyturn explain AADSTS50076", "keyturn explain -- -50002", "keyturn explain -"])

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
                .configuration, name: "infoPlist", error.reason, nextStep: "Give another file with --info-plist.")
        }
    }

    /// Never repeats the text, which can be a secret.
    private func unknown(_ text: String) -> CommandFailure {
        let near = text.count < 60 ? nearest(to: text, in: ErrorDictionary.bundled.names) : nil
        return CommandFailure(
            .failed, name: "unknown", "Not recognised as an error code, URL or token.",
            nextStep: near.map { "Did you mean \($0)?" }
                ?? "Enter an error code, a whole URL in quotes or a whole token.")
    }
}
