/// Every command there is, in the order of the help.
package enum CommandTable {
    package static let all: [any Subcommand.Type] = [
        DemoCommand.self, SignInCommand.self, TokenCommand.self, AccountsCommand.self, ClaimsCommand.self,
        RemoveCommand.self, SignOutCommand.self, ImportCommand.self, ExportCommand.self, RegisterCommand.self,
        OpenURLCommand.self,
        AuthorityCommand.self, CheckCommand.self, ReportCommand.self, ExplainCommand.self, CompletionsCommand.self,
    ]

    /// What the completions of the shells run; no list of commands has it.
    static let forShells: any Subcommand.Type = CompleteCommand.self

    static var names: [String] { all.map { $0.specification.name } }

    static func command(named name: String) -> (any Subcommand.Type)? {
        (all + [forShells]).first { $0.specification.name == name }
    }
}

/// One command: options in, engine, result out.
package protocol Subcommand: Sendable {
    static var specification: CommandSpecification { get }

    /// Takes what it needs from the options, or says what is wrong with them. Nothing is read or opened yet.
    init(_ options: ParsedOptions) throws(UsageError)

    /// Does it. What it throws is written as an error and becomes the exit code.
    func run(in surroundings: Surroundings) async throws -> ExitCode
}
