/// Offers the set-up, or the demo, to a user whose command has no configuration. Never in scripts.
struct SetUpOffer {
    private enum Reply { case setUp, demo, none }

    /// Commands that a newcomer tries first, and whether they run after the set-up. The set-up itself ends in a sign-in.
    private static let commands: [(command: any Subcommand.Type, runsAfterwards: Bool)] = [
        (SignInCommand.self, false), (AccountsCommand.self, true), (TokenCommand.self, true),
    ]

    private let options: ParsedOptions
    private let runsAfterwards: Bool
    private let surroundings: Surroundings

    /// `nil` where there is nothing to offer: for another failure or command, or without a user who can be prompted.
    init?(
        _ failure: ConfigurationError, _ command: any Subcommand, _ options: ParsedOptions,
        in surroundings: Surroundings
    ) {
        let fitting = Self.commands.first { $0.command == type(of: command) }
        // Options that the set-up would ignore, and those of scripts.
        let others: [Option] = [
            .profile, .clientID, .authority, .redirectURI, .cache, .timeout, Demand.resource,
            Demand.noInteraction,
        ]
        guard failure.kind == .missing, let fitting, surroundings.hasTerminal, surroundings.canPrompt,
            !others.contains(where: options.has)
        else { return nil }
        self.options = ParsedOptions(given: options.given.filter { Option.everywhere.contains($0.option) })
        runsAfterwards = fitting.runsAfterwards
        self.surroundings = surroundings
    }

    /// Runs what the user chooses. Returns the exit status of the command, or `nil` if it should report the failure.
    /// - Parameter run: runs the command again.
    func run(_ again: () async throws -> ExitCode) async throws -> ExitCode? {
        switch await reply() {
        case .none: return nil
        case .demo: return try await DemoCommand(options).run(in: surroundings)
        case .setUp:
            _ = try await OpenCommand(options).run(in: surroundings)
            guard try Settings(options).hasProfile(in: surroundings.environment) else { return nil }
            return runsAfterwards ? try await again() : .done
        }
    }

    private func reply() async -> Reply {
        surroundings.prompt(
            "No configuration yet. Set up Keyturn now? (Enter: yes, d: demo without set-up, n: no): ")
        switch await surroundings.typedLine()?.lowercased() {
        case "", "y", "yes": return .setUp
        case "d", "demo": return .demo
        case nil:
            // The input has ended in the line of the question.
            surroundings.prompt("\n")
            return .none
        default: return .none
        }
    }
}
