import Console
import DemoAuthority
import Foundation

/// `keyturn demo`: the program at the built-in authority, with a cache that is thrown away.
package struct DemoCommand: Subcommand {
    static let tour = Option("tour", "plays the scenario by itself and prints it line by line")
    static let list = Option("list", "lists the scenarios")

    package static let specification = CommandSpecification(
        name: "demo", summary: "opens the program on the built-in authority; nothing needs to be set up",
        discussion: """
            Starts an authority in this program, on this machine only, and opens the full-screen program on it with a cache
            that is thrown away. A scenario makes something of note happen, and says what to press and what to look at;
            --list names them. Without a terminal, or with --tour, a scripted person plays the scenario over HTTP, and
            every step is printed.
            """,
        options: [list, tour], optionalOperand: "SCENARIO", example: "keyturn demo password-changed --tour")

    private let settings: Settings
    private let scenario: Scenario
    private let playsTour: Bool
    private let lists: Bool
    /// Whoever names a scenario wants to be walked through it.
    private let isNamed: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        scenario = try Scenario.chosen(options.operands.first)
        playsTour = options.has(Self.tour)
        lists = options.has(Self.list)
        isNamed = !options.operands.isEmpty
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if lists {
            try surroundings.output.write(Scenario.list)
        } else if playsTour || (!surroundings.hasTerminal && !settings.isPlain) {
            try await interruptible { try await withDemo(in: surroundings, play) }
        } else {
            // The screen watches the signals itself: they end the program as its own key does.
            try await withDemo(in: surroundings, open)
        }
        return .done
    }

    /// Nothing of the demo outlives it.
    private func withDemo(
        in surroundings: Surroundings, _ body: (DemoSession, Surroundings) async throws -> Void
    ) async throws {
        let session = DemoSession(surroundings.environment)
        do {
            try await body(session, surroundings)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    private func open(_ session: DemoSession, in surroundings: Surroundings) async throws {
        let setting = try await session.open(scenario)
        try await TerminalProgram.run(
            .scenario(setting.opened(withWalk: isNamed)), settings, profile: { await session.profile }, in: surroundings
        ) { name in
            guard let scenario = Scenario.named(name) else { throw UsageError.unknownScenario(name, near: nil) }
            return try await session.open(scenario).opened(withWalk: true)
        }
    }

    private func play(_ session: DemoSession, in surroundings: Surroundings) async throws {
        let setting = try await session.open(scenario)
        let plain = settings.usesASCII || !surroundings.usesUTF8
        let sink: any TextSink = plain ? ASCIISink(surroundings.output) : surroundings.output
        try sink.write("The built-in authority runs at \(setting.server.origin.absoluteString)\n\n")
        try await Tour(scenario, on: setting.stage(), story: Story(to: sink), now: surroundings.now).play()
    }
}
