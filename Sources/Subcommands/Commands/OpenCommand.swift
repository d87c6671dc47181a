import Console

/// `keyturn` without a command: the terminal program for the configured profile.
package struct OpenCommand: Subcommand {
    package static let specification = CommandSpecification(name: "")

    @Boxed private var settings: Settings

    package init(_ options: ParsedOptions) throws(UsageError) { settings = try Settings(options) }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        guard surroundings.hasTerminal || settings.isPlain else { throw UsageError.needsTerminal }
        try await DemoSession.use(in: surroundings) { demo, surroundings in
            var surroundings = surroundings
            if (try? settings.profile(in: surroundings.environment))?.browser == nil,
                let lender = CarriedTokens.lender(in: surroundings)
            {
                surroundings.machine.lendsBrowser = true
                surroundings.browser = lender.open
            }
            try await TerminalProgram.run(
                settings.programStart(in: surroundings.environment), settings, demo, in: surroundings)
        }
        return .done
    }
}
