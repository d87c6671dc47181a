/// Every command there is, in the order of the help.
package enum CommandTable {
    package static let all: [any Subcommand.Type] = [
        DemoCommand.self, SignInCommand.self, TokenCommand.self, AccountsCommand.self, ClaimsCommand.self,
        RemoveCommand.self, ImportCommand.self, ExportCommand.self, RegisterCommand.self, OpenURLCommand.self,
        AuthorityCommand.self,
    ]
}
