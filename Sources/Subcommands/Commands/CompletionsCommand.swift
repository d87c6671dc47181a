/// `keyturn completions`: a shell's completion, for its own folder or for `eval`.
package struct CompletionsCommand: Subcommand {
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var script: String {
            switch self {
            case .bash: EmbeddedResource.bashCompletion
            case .zsh: EmbeddedResource.zshCompletion
            case .fish: EmbeddedResource.fishCompletion
            }
        }
    }

    package static let specification = CommandSpecification(
        name: "completions", summary: "prints the completion of a shell",
        discussion: """
            Prints what has the shell complete commands, options, accounts, profiles, scopes and scenarios. An installed
            keyturn has it in place already. Else, in the shell's start-up file:

            bash  eval "$(keyturn completions bash)"
            zsh   eval "$(keyturn completions zsh)", after compinit
            fish  keyturn completions fish | source
            """,
        operand: Shell.allCases.map(\.rawValue).joined(separator: "|"), example: "keyturn completions bash")

    private let shell: Shell

    package init(_ options: ParsedOptions) throws(UsageError) {
        let word = options.operands.first ?? ""
        guard let shell = Shell(rawValue: word) else {
            throw .unknownOperand(word, wanted: "bash, zsh or fish", command: Self.specification.name)
        }
        self.shell = shell
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        try surroundings.output.write(shell.script)
        return .done
    }
}
