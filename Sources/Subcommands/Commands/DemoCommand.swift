import Console
import DemoAuthority
import Foundation

/// `keyturn demo`: the program at the built-in authority, with a cache that is thrown away.
package struct DemoCommand: Subcommand {
    static let tour = Option("tour", "plays a sign-in by itself and prints it line by line")

    package static let specification = CommandSpecification(
        name: "demo", summary: "opens the program on the built-in authority; nothing needs to be set up",
        discussion: """
            Starts an authority in this program, on this machine only, and opens the full-screen program on it with a cache
            that is thrown away. Without a terminal, or with --tour, a scripted person signs in over HTTP, and every step
            is printed.
            """,
        options: [tour], example: "keyturn demo --tour")

    private let settings: Settings
    private let playsTour: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        playsTour = options.has(Self.tour)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if playsTour || !surroundings.hasTerminal {
            try await interruptible { try await withDemo(in: surroundings, play) }
        } else {
            // The screen watches the signals itself: they end the program as its own key does.
            try await withDemo(in: surroundings, open)
        }
        return .done
    }

    /// Nothing of the demo outlives it.
    private func withDemo(
        in surroundings: Surroundings, _ body: (DemoSetting, Surroundings) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(in: surroundings.environment)
        defer { folder.remove() }
        let setting = try await DemoSetting(in: folder)
        defer { setting.server.stop() }
        try await body(setting, surroundings)
    }

    private func open(_ setting: DemoSetting, in surroundings: Surroundings) async throws {
        let hints = PeopleHints.lines(setting.server.directory.people)
        let profile = setting.profile.shown(hints: hints, isDemo: true)
        try await TerminalProgram.run(.ready(try setting.profile.application(), profile), settings, in: surroundings)
    }

    private func play(_ setting: DemoSetting, in surroundings: Surroundings) async throws {
        let plain = settings.usesASCII || !surroundings.usesUTF8
        let sink: any TextSink = plain ? ASCIISink(surroundings.output) : surroundings.output
        try sink.write("The built-in authority runs at \(setting.server.origin.absoluteString)\n")
        guard let person = setting.server.directory.people.first else { return }
        let browser = ScriptedBrowser(username: person.username, password: person.password)
        let tour = Tour(
            application: try setting.profile.application(), scopes: setting.profile.scopes, name: person.name,
            walk: browser.walk, story: Story(to: sink), now: surroundings.now)
        try await tour.play()
    }
}
