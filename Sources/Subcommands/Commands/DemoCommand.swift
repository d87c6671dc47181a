import Console
import DemoAuthority
import Foundation

/// `keyturn demo`: the full-screen program with the built-in authority and a temporary cache.
package struct DemoCommand: Subcommand {
    static let tour = Option("tour", "Play the scenario with a scripted user and print each step")
    static let list = Option("list", "List the scenarios")

    package static let specification = CommandSpecification(
        name: "demo", summary: "Try Keyturn without any set-up",
        discussion: """
            Starts a built-in authority on this computer and opens the full-screen program with a temporary cache. A
            scenario shows one situation step by step. Without a terminal, or with --tour, a scripted user plays the
            scenario.
            """,
        options: [list, tour], optionalOperand: "SCENARIO",
        examples: ["keyturn demo", "keyturn demo --list", "keyturn demo password-changed --tour"])

    private let settings: Settings
    private let scenario: Scenario
    private let playsTour: Bool
    private let lists: Bool
    /// Whether to guide the user through the scenario.
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
            // The screen handles signals itself.
            try await withDemo(in: surroundings, open)
        }
        return .done
    }

    /// Removes the demo's files and authority afterwards.
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
        try sink.write("Built-in authority: \(setting.server.origin.absoluteString)\n\n")
        try await Tour(scenario, on: setting.stage(), story: Story(to: sink), now: surroundings.now).play()
    }
}
