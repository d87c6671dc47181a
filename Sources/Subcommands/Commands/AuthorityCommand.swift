import DemoAuthority
import Foundation
import Glibc

/// `keyturn authority`: the built-in authority alone, for other clients and for a second terminal.
package struct AuthorityCommand: Subcommand {
    static let port = Option("port", argument: "N", "listens on this port; 8400 unless given, 0 is any that is free")
    static let scenario = Option(
        "scenario", argument: "SCENARIO", "behaves as in this scenario; 'keyturn demo --list' names them")
    static let fault = Option(
        "fault", argument: "SWITCH", "misbehaves so; may be given more than once, and --list-faults names them")
    static let listFaults = Option("list-faults", "lists how it can misbehave, and what a client is to do then")

    package static let specification = CommandSpecification(
        name: "authority", summary: "serves the built-in authority until it is interrupted",
        discussion: """
            Serves the built-in authority on this machine until it is interrupted. Prints its address, a configuration
            that signs in there, and the people who can.
            """,
        options: [port, scenario, fault, listFaults], example: "keyturn authority --port 8400")

    private let port: UInt16
    private let scenario: Scenario
    private let listsFaults: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        let text = options[Self.port] ?? "8400"
        guard let port = UInt16(text) else {
            throw .badArgument(Self.port, argument: text, wanted: "a number from 0 to 65535")
        }
        self.port = port
        var scenario = try Scenario.chosen(options[Self.scenario])
        for name in options.all(Self.fault) { scenario.settings.add(try Fault.chosen(name)) }
        self.scenario = scenario
        listsFaults = options.has(Self.listFaults)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if listsFaults {
            try surroundings.output.write(Fault.list)
            return .done
        }
        do {
            try await interruptible {
                let server = try await start()
                defer { server.stop() }
                try surroundings.output.write(AuthorityNotice(server: server, scenario: scenario).text)
                // Ends when the task is cancelled.
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
            return .done
        } catch let interrupted as Interrupted {
            // Being told to end is how a service is stopped; Ctrl-C is a person's interruption.
            return interrupted.signal == SIGTERM ? .done : .interrupted
        }
    }

    private func start() async throws -> DemoAuthorityServer {
        do {
            return try await DemoAuthorityServer.start(
                port: port, directory: scenario.directory, settings: scenario.settings)
        } catch {
            throw CommandFailure(
                .failed, name: "cannotListen", error.localizedDescription,
                nextStep: "Choose another port with --port N; 0 is any that is free.")
        }
    }
}
