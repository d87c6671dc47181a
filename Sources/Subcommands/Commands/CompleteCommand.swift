/// `keyturn complete`, for the shells' completion scripts. Not listed.
package struct CompleteCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "complete", summary: "Complete a command line, for the shells",
        discussion: """
            Prints the candidates for the last word, each with a tab and a description, or :files. The scripts of
            'keyturn completions' run this command.
            """,
        operand: "-- WORD", takesAnyWords: true, examples: ["keyturn complete -- tok"])

    private let words: [String]

    package init(_ options: ParsedOptions) throws(UsageError) {
        words = options.operands
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let request = CompletionRequest(words, among: CommandTable.all.map { $0.specification })
        let reply = CompletionReply(request: request, environment: surroundings.environment, now: surroundings.now())
        try surroundings.output.write(reply.text)
        return .done
    }
}
