package struct CompleteCommand: Subcommand {
    package static let specification = CommandSpecification(name: "complete", operand: "-- WORD", takesAnyWords: true)

    private let words: [String]

    package init(_ options: ParsedOptions) throws(UsageError) { words = options.operands }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let request = CompletionRequest(words, among: CommandTable.all.map { $0.specification })
        let reply = CompletionReply(request: request, environment: surroundings.environment, now: surroundings.now())
        try surroundings.output.write(reply.text)
        return .done
    }
}
