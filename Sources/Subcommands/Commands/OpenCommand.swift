import Console

/// `keyturn` alone: the terminal program for the configured profile.
package struct OpenCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "", summary: "",
        discussion: """
            Signs people in from a terminal. Without a command it opens the full-screen program for the configured
            profile; everything it does is a command too.
            """,
        example: "keyturn demo")

    private let settings: Settings

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        guard surroundings.hasTerminal || settings.isPlain else {
            throw UsageError.needsTerminal(
                instead: "'keyturn --plain', 'keyturn token', 'keyturn sign-in' or another of 'keyturn --help'.")
        }
        try await TerminalProgram.run(
            settings.programStart(in: surroundings.environment), settings, in: surroundings)
        return .done
    }
}
