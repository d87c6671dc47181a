/// `keyturn complete`: what the shells' completions ask at a Tab. No list has it.
package struct CompleteCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "complete", summary: "completes a command line, for the shells",
        discussion: """
            Prints what the last word can become: a word, a tab and a sentence on each line, or :files. The completions
            that 'keyturn completions' prints run this.
            """,
        operand: "-- WORD", takesAnyWords: true, example: "keyturn complete -- tok")

    private let words: [String]

    package init(_ options: ParsedOptions) throws(UsageError) {
        words = options.operands
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let request = CompletionRequest(words, among: CommandTable.all.map { $0.specification })
        let answer = CompletionAnswer(request: request, environment: surroundings.environment)
        try surroundings.output.write(answer.text)
        return .done
    }
}
