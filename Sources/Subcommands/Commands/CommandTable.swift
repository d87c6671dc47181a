import Diagnosis

/// The commands, in the order of the help.
package enum CommandTable {
    package static let all: [any Subcommand.Type] = [
        DemoCommand.self, SignInCommand.self, TokenCommand.self, CallCommand.self, MCPCommand.self, ExecCommand.self,
        GitCredentialCommand.self, GateCommand.self, ServeCommand.self, WatchCommand.self,
        AccountsCommand.self, ClaimsCommand.self,
        RemoveCommand.self, SignOutCommand.self, ImportCommand.self, ExportCommand.self, RegisterCommand.self,
        OpenURLCommand.self,
        AuthorityCommand.self, CheckCommand.self, ReportCommand.self, ExplainCommand.self, CompletionsCommand.self,
        ClientMetadataCommand.self, HelpCommand.self,
    ]

    /// The command of the shells' completion scripts. Not listed.
    static let forShells: any Subcommand.Type = CompleteCommand.self

    static var names: [String] { all.map { $0.specification.name } }

    /// The command for a misspelled name, or for another program's name.
    static func near(_ name: String) -> String? { otherPrograms[name] ?? nearest(to: name, in: names) }

    private static let otherPrograms = [
        "login": "sign-in", "logout": "sign-out", "whoami": "accounts", "list": "accounts", "decode": "claims",
        "completion": "completions",
    ]

    static func command(named name: String) -> (any Subcommand.Type)? {
        (all + [forShells]).first { $0.specification.name == name }
    }
}

/// A command.
package protocol Subcommand: Sendable {
    static var specification: CommandSpecification { get }

    /// Validates the options. Reads and opens nothing.
    init(_ options: ParsedOptions) throws(UsageError)

    /// Runs the command. Errors are reported and determine the exit status.
    func run(in surroundings: Surroundings) async throws -> ExitCode
}
