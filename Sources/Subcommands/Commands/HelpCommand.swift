/// `keyturn help`, also for `--help`.
package struct HelpCommand: Subcommand {
    package static let specification = CommandSpecification(name: "help", optionalOperand: "COMMAND")

    let topic: Help.Topic

    package init(_ options: ParsedOptions) throws(UsageError) {
        topic = try Self.topic(named: options.operands.first)
    }

    init(_ topic: Help.Topic) { self.topic = topic }

    private static func topic(named name: String?) throws(UsageError) -> Help.Topic {
        guard let name else { return .command(OpenCommand.specification) }
        if name == "options" { return .options }
        if let command = CommandTable.command(named: name) { return .command(command.specification) }
        throw .unknownCommand(name, near: CommandTable.near(name))
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let columns = surroundings.columns(of: surroundings.output)
        let isBold = columns != nil && !surroundings.machine.isDumb && surroundings.environment["NO_COLOR"] ?? "" == ""
        try surroundings.output.write(Help.text(for: topic, width: columns ?? 80, isBold ? .mono : nil))
        return .done
    }
}
