import KeyturnSystem
import MSAL

/// A question in a window of the desktop, as `ssh-add -c` asks: by ssh-askpass, chosen by the variables that ssh reads
/// (ssh(1), ENVIRONMENT).
struct WindowQuestion: Sendable {
    private let program: String
    private let environment: [String: String]

    /// The program, which can be missing. `nil` if ssh would ask on the terminal.
    static func program(in environment: [String: String]) -> String? {
        let demand = environment["SSH_ASKPASS_REQUIRE"] ?? ""
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard demand == "force" || demand != "never" && hasDisplay,
            !demand.isEmpty || !GateQuestion.hasTerminal
        else { return nil }
        return environment["SSH_ASKPASS"].flatMap { $0.isEmpty ? nil : $0 } ?? "ssh-askpass"
    }

    /// `nil` if the program is missing, too.
    init?(in environment: [String: String]) {
        guard let name = Self.program(in: environment), let program = ExternalProgram.path(of: name, in: environment)
        else { return nil }
        self.program = program
        self.environment = environment.merging(["SSH_ASKPASS_PROMPT": "confirm"]) { $1 }
    }

    /// No answer in time is a no. So is a text: an older ssh-askpass lets the user type one. Throws if the program didn't ask.
    func decide(_ question: String) async throws(Failure) -> Bool {
        let result = await ExternalProgram.run(
            [program, question], environment: environment, within: OpenQuestion.patience)
        guard let result else { throw RunningProgram.notStarted([program], "it can't be executed") }
        guard result.status >= 0 || result.status == ExternalProgram.overdue else {
            throw Failure(
                .failed, name: "askpassFailed",
                "\(program), which asks in a window, was ended by signal \(-result.status).",
                nextStep: "Set SSH_ASKPASS to another program, or connect again to be asked again.")
        }
        return result.status == 0 && ["", "yes"].contains(result.output.lowercased())
    }
}
