import Foundation
import MSAL
import TerminalUI

/// `keyturn open-url`: the desktop's handler for the redirect URI's scheme.
package struct OpenURLCommand: Subcommand {
    package static let specification = CommandSpecification(name: "open-url", operand: "URL")

    private let text: String

    package init(_ options: ParsedOptions) throws(UsageError) {
        text = options.operands.first ?? ""
    }

    /// Browsers reject longer URLs.
    private static let mostBytes = 1 << 16

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let isInput = text == "-"
        let text = isInput ? try await surroundings.input(mostBytes: Self.mostBytes) : text
        guard let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty else {
            throw Failure(
                .usage, name: "notAURL", "Not a URL.",
                nextStep: isInput ? "Pass the whole URL on standard input." : "Enter the whole URL in quotes.")
        }
        let outcome = await MSALPublicClientApplication.handOver(url, environment: surroundings.environment)
        if let failure = outcome.failure(scheme: Printable.sanitize(scheme)) { throw failure }
        surroundings.tell("The sign-in continues in its terminal.\n")
        return .done
    }
}

extension MSALHandOverOutcome {
    /// The failure to report; `nil` on success. Never repeats the URL, which contains a code.
    func failure(scheme: String) -> Failure? {
        let again = "Start the sign-in again."
        return switch self {
        case .delivered: nil
        case .alreadyReceived:
            Failure(
                .failed, name: rawValue, "The sign-in already received this response.", nextStep: "See its terminal.")
        case .otherSignIn:
            Failure(
                .failed, name: rawValue, "The response belongs to another sign-in.",
                nextStep: "Continue in the page that the waiting sign-in opened. If you closed it, start again.")
        case .otherURL:
            Failure(
                .configuration, name: rawValue, "The waiting sign-in has another redirect URI.",
                nextStep: "Register the profile's redirect URI with the authority.")
        case .noResponse:
            Failure(
                .failed, name: rawValue, "The waiting sign-in doesn't respond. It may be stopped.",
                nextStep: "Run fg in its terminal; the response has arrived there.")
        case .noWaitingSignIn:
            Failure(
                .failed, name: rawValue, "No sign-in is waiting. Yours may have ended.",
                nextStep: again)
        }
    }
}
