import Foundation
import MSAL

/// `keyturn open-url`: the desktop's handler for the redirect URI's scheme.
package struct OpenURLCommand: Subcommand {
    package static let specification = CommandSpecification(name: "open-url", operand: "URL")

    private let text: String

    package init(_ options: ParsedOptions) throws(UsageError) { text = options.operands.first ?? "" }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let isInput = text == "-"
        // Browsers reject longer URLs.
        let text = isInput ? try await surroundings.input(mostBytes: 1 << 16) : text
        guard let url = URL(string: text), url.scheme?.isEmpty == false else {
            throw Failure(
                .usage, name: "notAURL", "Not a URL.",
                nextStep: isInput ? "Pass the whole URL on standard input." : "Enter the whole URL in quotes.")
        }
        let outcome = await MSALPublicClientApplication.handOver(url, environment: surroundings.environment)
        if let failure = outcome.failure { throw failure }
        surroundings.tell("The sign-in continues in its terminal.\n")
        return .done
    }
}

extension MSALHandOverOutcome {
    /// The failure to report; `nil` on success. Never repeats the URL, which contains a code.
    var failure: Failure? {
        func failed(_ problem: String, _ nextStep: String) -> Failure {
            Failure(self == .otherURL ? .configuration : .failed, name: rawValue, problem, nextStep: nextStep)
        }
        return switch self {
        case .delivered: nil
        case .alreadyReceived: failed("The sign-in already received this response.", "See its terminal.")
        case .otherSignIn:
            failed(
                "The response belongs to another sign-in.",
                "Continue in the page that the waiting sign-in opened. If you closed it, start again.")
        case .otherURL:
            failed(
                "The waiting sign-in has another redirect URI.",
                "Register the profile's redirect URI with the authority.")
        case .noResponse:
            failed(
                "The waiting sign-in doesn't respond. It may be stopped.",
                "Run fg in its terminal; the response has arrived there.")
        case .noWaitingSignIn: failed("No sign-in is waiting. Yours may have ended.", "Start the sign-in again.")
        }
    }
}
