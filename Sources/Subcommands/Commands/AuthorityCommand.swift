import DemoAuthority
import Foundation
import Glibc
import MSAL

/// `keyturn authority`: the built-in authority alone, for other clients and for a second terminal.
package struct AuthorityCommand: Subcommand {
    static let port = Option("port", argument: "N", "listens on this port; 8400 unless given, 0 is any that is free")
    static let scenario = Option(
        "scenario", argument: "SCENARIO", "behaves as in this scenario; 'keyturn demo --list' names them")
    static let fault = Option(
        "fault", argument: "SWITCH", "misbehaves so; may be given more than once, and --list-faults names them")
    static let listFaults = Option("list-faults", "lists how it can misbehave, and what a client is to do then")

    static let tls = Option("tls", "speaks TLS, with a certificate made for this run, and says how to trust it")

    package static let specification = CommandSpecification(
        name: "authority", summary: "serves the built-in authority until it is interrupted",
        discussion: """
            Serves the built-in authority on this machine until it is interrupted. Prints its address, a configuration
            that signs in there, and the people who can. Its passwords are no secrets, so nobody else reaches it unless
            --listen names the address on which they may.
            """,
        options: [port, tls, scenario, fault, listFaults], example: "keyturn authority --port 8400")

    private let port: UInt16
    private let address: String?
    private let usesTLS: Bool
    private let scenario: Scenario
    private let listsFaults: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        let listener = try Self.listener(options[.listen])
        address = listener?.address
        port = try Self.port(options[Self.port]) ?? listener?.ports?.lowerBound ?? 8400
        usesTLS = options.has(Self.tls)
        var scenario = try Scenario.chosen(options[Self.scenario])
        for name in options.all(Self.fault) { scenario.settings.add(try Fault.chosen(name)) }
        self.scenario = scenario
        listsFaults = options.has(Self.listFaults)
    }

    private static func port(_ text: String?) throws(UsageError) -> UInt16? {
        guard let text else { return nil }
        if let port = UInt16(text) { return port }
        // Somebody who wants another address is told how, and what it means.
        let elsewhere = "; on another address than loopback with --listen, where everybody can read the passwords"
        let isAddress = text.contains(".") || text.contains(":")
        throw .badArgument(
            Self.port, argument: text, wanted: "a number from 0 to 65535\(isAddress ? elsewhere : "")")
    }

    /// The address becomes part of every issuer, so it has to be one, not all of them.
    private static func listener(_ text: String?) throws(UsageError) -> MSALLoopbackListener? {
        guard let text else { return nil }
        guard let listener = MSALLoopbackListener(text), !["0.0.0.0", "::"].contains(listener.address) else {
            throw .badArgument(
                .listen, argument: text, wanted: "ADDRESS:PORT with the one address that others reach this machine by")
        }
        return listener
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if listsFaults {
            try surroundings.output.write(Fault.list)
            return .done
        }
        do {
            try await interruptible { try await serve(in: surroundings) }
            return .done
        } catch let interrupted as Interrupted {
            // Being told to end is how a service is stopped; Ctrl-C is a person's interruption.
            return interrupted.signal == SIGTERM ? .done : .interrupted
        }
    }

    private func serve(in surroundings: Surroundings) async throws {
        let server = try await start()
        defer { server.stop() }
        let folder = try TemporaryFolder(in: surroundings.environment)
        defer { folder.remove() }
        let file = try server.certificate.map { try certificateFile($0, in: folder) }
        let notice = AuthorityNotice(server: server, scenario: scenario, certificateFile: file)
        try surroundings.output.write(notice.text)
        // Ends when the task is cancelled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }

    private func certificateFile(_ certificate: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/authority.pem"
        try Data(certificate.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func start() async throws -> DemoAuthorityServer {
        do {
            return try await DemoAuthorityServer.start(
                port: port, address: address, usesTLS: usesTLS, directory: scenario.directory,
                settings: scenario.settings)
        } catch {
            throw CommandFailure(
                .failed, name: "cannotListen", error.localizedDescription,
                nextStep: "Choose another port with --port N; 0 is any that is free.")
        }
    }
}
