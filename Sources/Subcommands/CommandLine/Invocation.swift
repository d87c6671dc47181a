/// What a command line asks for. Reading it touches nothing.
package enum Invocation: Sendable {
    case run(any Subcommand)
    case help(CommandSpecification)
    case version

    package static func read(_ arguments: [String]) throws(UsageError) -> Invocation {
        let before = try OptionParser(Option.everywhere, stopsAtFirstOperand: true).parse(arguments)
        guard let name = before.operands.first else {
            return try choose(OpenCommand.self, before)
        }
        guard let command = CommandTable.all.first(where: { $0.specification.name == name }) else {
            throw .unknownCommand(name, near: nearest(to: name, in: CommandTable.all.map { $0.specification.name }))
        }
        let specification = command.specification
        var parsed = try OptionParser(specification.options + Option.everywhere, command: name)
            .parse(Array(before.operands.dropFirst()))
        parsed.given = before.given + parsed.given
        if !parsed.has(.help), !parsed.has(.version) { try check(parsed.operands, for: specification) }
        return try choose(command, parsed)
    }

    private static func check(_ operands: [String], for specification: CommandSpecification) throws(UsageError) {
        if let operand = specification.operand, operands.first == nil {
            throw .missingOperand(operand, command: specification.name)
        }
        let words = [specification.operand, specification.optionalOperand, specification.furtherOperand]
        let most = words.compactMap(\.self).count
        if let extra = operands.dropFirst(most).first {
            throw .extraOperand(extra, command: specification.name)
        }
    }

    private static func choose(
        _ command: any Subcommand.Type, _ options: ParsedOptions
    ) throws(UsageError) -> Invocation {
        if options.has(.help) { return .help(command.specification) }
        if options.has(.version) { return .version }
        return .run(try command.init(options))
    }
}
