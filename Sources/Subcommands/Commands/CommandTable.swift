import Diagnosis

package enum CommandTable {
    package static let groups: KeyValuePairs<String, [any Subcommand.Type]> = [
        "Sign in": [SignInCommand.self, StatusCommand.self, SignOutCommand.self],
        "Use a token": [TokenCommand.self, CallCommand.self],
        "Give it to programs": [
            ExecCommand.self, GateCommand.self, ServeCommand.self, MCPCommand.self, GitCredentialCommand.self,
            SSHCommand.self, WatchCommand.self,
        ],
        "Understand": [
            DemoCommand.self, StepCommand.self, ClaimsCommand.self, CheckCommand.self, ExplainCommand.self,
            ReportCommand.self, AuthorityCommand.self,
        ],
        "Manage": [
            AccountsCommand.self, RemoveCommand.self, ImportCommand.self, ExportCommand.self, RegisterCommand.self,
            OpenURLCommand.self, ClientMetadataCommand.self, CompletionsCommand.self, HelpCommand.self,
        ],
    ]

    package static let all = groups.flatMap(\.value)

    /// The command of the shells' completion scripts. Not listed.
    static let forShells: any Subcommand.Type = CompleteCommand.self

    static var names: [String] { all.map { $0.specification.name } }

    /// The command for a misspelled name, or for another program's name.
    static func near(_ name: String) -> String? { otherPrograms[name] ?? nearest(to: name, in: names) }

    private static let otherPrograms = [
        "login": "sign-in", "logout": "sign-out", "whoami": "status", "auth": "status", "list": "accounts",
        "decode": "claims", "completion": "completions",
    ]

    static func command(named name: String) -> (any Subcommand.Type)? {
        (all + [forShells]).first { $0.specification.name == name }
    }
}

package protocol Subcommand: Sendable {
    static var specification: CommandSpecification { get }

    /// Validates the options. Reads and opens nothing.
    init(_ options: ParsedOptions) throws(UsageError)

    /// Runs the command. Errors are reported and determine the exit status.
    func run(in surroundings: Surroundings) async throws -> ExitCode
}
