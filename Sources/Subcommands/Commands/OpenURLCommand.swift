import Foundation
import MSAL
import TerminalUI

/// `keyturn open-url`: the handler that the desktop starts for an address of the profile's scheme. The sign-in that waits
/// for it is in another process.
package struct OpenURLCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "open-url", summary: "hands an opened address to the sign-in that waits for it",
        discussion: """
            Hands the address that a browser came back with to the sign-in that waits for it, in another terminal of the
            same user. The desktop runs this; see 'keyturn register --help'. With - the address comes on standard input,
            where no other process can read the code that is in it.
            """,
        operand: "URL", example: "keyturn open-url 'msauth.org.keyturn.app://auth?code=…&state=…'")

    private let text: String

    package init(_ options: ParsedOptions) throws(UsageError) {
        text = options.operands.first ?? ""
    }

    /// An address is never longer: browsers give up before.
    private static let mostBytes = 1 << 16

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let text = text == "-" ? await surroundings.input(mostBytes: Self.mostBytes) : text
        guard let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty else {
            throw CommandFailure(
                .usage, name: "notAnAddress", "This is not an address.", nextStep: "Give it whole, in quotes.")
        }
        let outcome = await MSALPublicClientApplication.handOver(url, environment: surroundings.environment)
        if let failure = outcome.failure(scheme: Printable.sanitize(scheme)) { throw failure }
        surroundings.tell("The sign-in goes on in its terminal.\n")
        return .done
    }
}

extension MSALHandOverOutcome {
    /// What to tell whoever opened the address. It never repeats the address: there is a code in it.
    func failure(scheme: String) -> CommandFailure? {
        let again = "Start the sign-in again where it was started."
        return switch self {
        case .taken: nil
        case .alreadyTaken:
            CommandFailure(
                .failed, name: rawValue, "The sign-in has had this answer already.", nextStep: "Look at its terminal.")
        case .otherSignIn:
            CommandFailure(
                .failed, name: rawValue, "A sign-in waits, but this answer belongs to another one.",
                nextStep: "Go on in the page that the waiting sign-in opened. If it is closed: "
                    + again.prefix(1).lowercased() + again.dropFirst())
        case .otherAddress:
            CommandFailure(
                .configuration, name: rawValue, "No sign-in waits for an address of \(scheme): at this place.",
                nextStep: "See that the redirect URI of the profile is the one registered with the authority.")
        case .noAnswer:
            CommandFailure(
                .failed, name: rawValue, "The sign-in that waits does not answer; it may be stopped.",
                nextStep: "Let it go on (fg in its terminal): it has the answer then.")
        case .nobodyWaits:
            CommandFailure(
                .failed, name: rawValue, "No sign-in waits for this. It may have ended, or had its answer.",
                nextStep: again)
        }
    }
}
