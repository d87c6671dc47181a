import KeyturnSystem

/// A question in a window of the desktop, as `ssh-add -c` asks: by ssh-askpass, chosen by the variables that ssh reads
/// (ssh(1), ENVIRONMENT).
struct WindowQuestion: Sendable {
    private let program: String
    private let environment: [String: String]

    /// `nil` if ssh would ask on the terminal.
    init?(in environment: [String: String]) {
        let demand = environment["SSH_ASKPASS_REQUIRE"] ?? ""
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard demand == "force" || demand != "never" && hasDisplay,
            !demand.isEmpty || !GateQuestion.hasTerminal,
            let program = ExternalProgram.path(of: environment["SSH_ASKPASS"] ?? "ssh-askpass", in: environment)
        else { return nil }
        self.program = program
        self.environment = environment.merging(["SSH_ASKPASS_PROMPT": "confirm"]) { $1 }
    }

    /// No answer in time is a no. So is a text: an older ssh-askpass lets the user type one.
    func decide(_ question: String) async -> Bool {
        let result = await ExternalProgram.run(
            [program, question], environment: environment, within: OpenQuestion.patience)
        return result?.status == 0 && ["", "yes"].contains(result?.output.lowercased())
    }
}
