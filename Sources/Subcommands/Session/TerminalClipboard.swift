import Console
import Foundation
import MSAL
import TerminalUI

/// The clipboard of the user's terminal, for commands.
struct TerminalClipboard {
    private let route: ClipboardRoute
    private let terminal: any TextSink

    /// Throws before a token is requested if the terminal can't copy.
    init(in surroundings: Surroundings) throws(Failure) {
        route = ClipboardRoute(environment: surroundings.environment)
        guard let terminal = surroundings.terminal else { throw Self.failure("There is no terminal.") }
        if case .none = route { throw Self.failure(route.rejection) }
        do throws(TextSinkFailure) { try terminal.write("") } catch { throw Self.failure("There is no terminal.") }
        self.terminal = terminal
    }

    func copy(_ text: String) throws {
        guard let sequence = route.sequence(for: text) else { throw Self.failure(route.rejection) }
        try terminal.write(sequence)
    }

    /// Terminals don't confirm that they copied, and a command that has ended can't clear their clipboard.
    static func notice(_ result: MSALResult, at now: Date) -> String {
        let user = result.account.username.map { " of \(Printable.sanitize($0))" } ?? ""
        let expiry = result.expiresOn.map { " It expires \(Moment.relative($0, to: now))." } ?? ""
        return "Sent the token\(user) to the terminal's clipboard.\(expiry)\n"
            + "The clipboard keeps it until you copy something else. If it isn't there, the terminal or tmux forbids copying.\n"
    }

    private static func failure(_ reason: String) -> Failure {
        Failure(
            .failed, name: "noClipboard", "The token can't be copied. \(reason)",
            nextStep: "Print it instead: leave out --copy.")
    }
}
