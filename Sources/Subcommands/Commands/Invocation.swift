package enum Invocation: Sendable {
    case run(any Subcommand, options: ParsedOptions)
    case version

    package static func read(_ arguments: [String]) throws(UsageError) -> Invocation {
        let options = Option.everywhere + (start(of: arguments).has(.version) ? [OutputFormat.option] : [])
        let before = try OptionParser(
            options: options, stopsAtFirstOperand: true, later: CommandTable.all.flatMap { $0.specification.options }
        ).parse(arguments)
        guard let name = before.operands.first else { return try choose(OpenCommand.self, before) }
        guard let command = CommandTable.command(named: name) else {
            throw .unknownCommand(name, near: CommandTable.near(name))
        }
        let specification = command.specification
        var parsed = try OptionParser(
            options: specification.options + Option.everywhere, command: name,
            stopsAtFirstOperand: specification.stopsAtOperand
        ).parse(Array(before.operands.dropFirst()))
        parsed.given = before.given + parsed.given
        if !parsed.has(.help), !parsed.has(.version) { try check(parsed.operands, for: specification) }
        return try choose(command, parsed)
    }

    /// What is right before the command, with `-o`, which can belong to `--version`.
    private static func start(of arguments: [String]) -> ParsedOptions {
        OptionParser(options: Option.everywhere + [OutputFormat.option], stopsAtFirstOperand: true)
            .parseWhatIsRight(arguments)
    }

    /// Whether to write failures as JSON: the command line requests JSON output, even if it is otherwise invalid.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        let output = OutputFormat.option
        let before = start(of: arguments)
        let specification = before.operands.first.flatMap { CommandTable.command(named: $0) }?.specification
        let own = specification?.options ?? []
        let others = own.filter { $0.long != output.long }
        let after = OptionParser(
            options: others + Option.everywhere + [output], stopsAtFirstOperand: specification?.stopsAtOperand ?? false
        ).parseWhatIsRight(Array(before.operands.dropFirst()))
        // A command whose -o also names a file takes it several times.
        let isRepeatable = own.first { $0.long == output.long }?.isRepeatable ?? false
        guard !isRepeatable else { return after.all(output).contains(OutputFormat.json.rawValue) }
        return (after[output] ?? before[output]) == OutputFormat.json.rawValue
    }

    private static func check(_ operands: [String], for specification: CommandSpecification) throws(UsageError) {
        if let operand = specification.operand, operands.isEmpty {
            let all = [operand, specification.furtherOperand].compactMap(\.self).joined(separator: " ")
            throw .missingOperand(all, command: specification.name)
        }
        if specification.takesAnyWords { return }
        let words = [specification.operand, specification.optionalOperand, specification.furtherOperand]
            .compactMap(\.self)
        if let empty = zip(words, operands).first(where: { $0.1.isEmpty }) {
            throw empty.0 == specification.optionalOperand
                ? .extraOperand("", command: specification.name) : .missingOperand(empty.0, command: specification.name)
        }
        if let extra = operands.dropFirst(words.count).first { throw .extraOperand(extra, command: specification.name) }
    }

    private static func choose(
        _ command: any Subcommand.Type, _ options: ParsedOptions
    ) throws(UsageError) -> Invocation {
        if options.has(.help) { return .run(HelpCommand(.command(command.specification)), options: options) }
        if options.has(.version) { return .version }
        return .run(try command.init(options), options: options)
    }
}
