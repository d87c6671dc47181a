import DemoAuthority
import Foundation
import Glibc
import MSAL

/// `keyturn authority`: the built-in authority for other clients.
package struct AuthorityCommand: Subcommand {
    static let port = Option("port", argument: "PORT", standard: "8400", "Port to listen on; 0 picks a free one")
    static let scenario = Option("scenario", argument: "SCENARIO", "Scenario to play, from keyturn demo --list")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, "Fault to inject, from --list-faults")
    static let listFaults = Option("list-faults", "List the faults and how clients must react")

    static let tls = Option("tls", "Use TLS with a temporary certificate")

    package static let specification = CommandSpecification(
        name: "authority", options: [port, tls, scenario, fault, listFaults])

    private let port: UInt16
    private let address: String?
    private let usesTLS: Bool
    private let scenario: Scenario
    private let faults: [Fault]
    private let listsFaults: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        let listener = try Self.listener(options[.listen])
        address = listener?.address
        port = try Self.port(options[Self.port]) ?? listener?.ports?.lowerBound ?? 8400
        usesTLS = options.has(Self.tls)
        var scenario = try Scenario.chosen(options[Self.scenario])
        faults = try options.all(Self.fault).map(Fault.chosen)
        for fault in faults { scenario.settings.add(fault) }
        self.scenario = scenario
        listsFaults = options.has(Self.listFaults)
    }

    private static func port(_ text: String?) throws(UsageError) -> UInt16? {
        guard let text else { return nil }
        if let port = UInt16(text) { return port }
        let isAddress = text.contains(".") || text.contains(":")
        let elsewhere = isAddress ? ", and --listen for another address, which exposes the passwords" : ""
        throw .badArgument(Self.port, argument: text, wanted: "a number from 0 to 65535\(elsewhere)")
    }

    /// One address, not all, because issuers contain it.
    private static func listener(_ text: String?) throws(UsageError) -> MSALLoopbackListener? {
        guard let text else { return nil }
        guard let listener = MSALLoopbackListener(text), !["0.0.0.0", "::"].contains(listener.address) else {
            throw .badArgument(
                .listen, argument: text,
                wanted: "[ADDRESS:]PORT with one address of this computer (not 0.0.0.0) and a port from 1 to 65535")
        }
        return listener
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if listsFaults {
            try surroundings.output.write(Fault.list.text(columns: surroundings.columns(of: surroundings.output)))
            return .done
        }
        do {
            try await interruptible { try await serve(in: surroundings) }
            return .done
        } catch let interrupted as Interrupted {
            // SIGTERM stops a service; the other signals interrupt a command.
            return interrupted.signal == SIGTERM ? .done : ExitCode(interrupted)
        }
    }

    private func serve(in surroundings: Surroundings) async throws {
        let server = try await start()
        defer { server.stop() }
        let folder = try TemporaryFolder(in: surroundings.environment)
        defer { folder.remove() }
        let file = try server.certificate.map { try certificateFile($0, in: folder) }
        let notice = AuthorityNotice(
            server: server, scenario: scenario, faults: faults, certificateFile: file,
            columns: surroundings.columns(of: surroundings.output))
        try surroundings.output.write(notice.text)
        // Runs until the task is cancelled.
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
                port: port, address: address, usesTLS: usesTLS, settings: scenario.settings)
        } catch {
            throw Failure(
                .failed, name: "cannotListen", error.localizedDescription,
                nextStep: address == nil
                    ? "Choose another port with --port; 0 picks a free one."
                    : "Choose an address of this computer and a free port with --listen.")
        }
    }
}
