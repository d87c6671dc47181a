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
        name: "completions", operand: Shell.allCases.map(\.rawValue).joined(separator: "|"))

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
