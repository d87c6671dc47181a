import DemoAuthority
import Foundation
import JSON
import MSAL
import TerminalUI

package struct AuthorityCommand: Subcommand {
    static let port = Option("port", of: "authority", argument: "PORT")
    static let scenario = Option("scenario", argument: "SCENARIO")
    static let fault = Option("fault", argument: "FAULT", isRepeatable: true)
    static let listFaults = Option("list-faults")
    static let tls = Option("tls")

    package static let specification = CommandSpecification(
        name: "authority", options: [port, tls, scenario, fault, listFaults])

    private let port: UInt16
    private let address: String?
    private let options: ParsedOptions
    private let scenario: Scenario
    private let faults: [Fault]

    package init(_ options: ParsedOptions) throws(UsageError) {
        let listener = try Self.listener(options[.listen])
        address = listener?.address
        let elsewhere = ", and --listen for another address, which exposes the passwords"
        port =
            try DoorOptions.port(options, Self.port, insteadOfAddress: elsewhere) ?? listener?.ports?.lowerBound ?? 8400
        self.options = options
        var scenario = try Scenario.chosen(options[Self.scenario])
        faults = try options.all(Self.fault).map(Fault.chosen)
        for fault in faults { scenario.settings.add(fault) }
        self.scenario = scenario
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
        if options.has(Self.listFaults) {
            try surroundings.output.write(Fault.list.text(columns: surroundings.columns(of: surroundings.output)))
            return .done
        }
        return try await served { try await serve(in: surroundings) }
    }

    private func serve(in surroundings: Surroundings) async throws {
        let server = try await start()
        defer { server.stop() }
        let folder = try TemporaryFolder(in: surroundings.environment)
        defer { folder.remove() }
        let (certificate, path) = (server.certificate, folder.path + "/authority.pem")
        if let certificate { try Data(certificate.utf8).write(to: URL(fileURLWithPath: path)) }
        let notice = AuthorityNotice(
            server: server, scenario: scenario, faults: faults, certificateFile: certificate == nil ? nil : path,
            columns: surroundings.columns(of: surroundings.output))
        try surroundings.output.write(notice.text)
        await untilCancelled()
    }

    private func start() async throws -> DemoAuthorityServer {
        do {
            return try await DemoAuthorityServer.start(
                port: port, address: address, usesTLS: options.has(Self.tls), settings: scenario.settings)
        } catch {
            throw Failure(
                .failed, name: "cannotListen", error.localizedDescription,
                nextStep: address == nil
                    ? "Choose another port with --port; 0 picks a free one."
                    : "Choose an address of this computer and a free port with --listen.")
        }
    }
}

/// The output of `keyturn authority`. The first line is the URL alone, for scripts.
struct AuthorityNotice {
    var server: DemoAuthorityServer
    var scenario: Scenario
    var faults: [Fault]
    var certificateFile: String?
    /// The width of the terminal; `nil` for lines of any length.
    var columns: Int?

    var text: String {
        """
        \(server.origin.absoluteString)

        Configuration for Keyturn:
        \(configuration)
        For other OpenID clients: client ID \(server.clientID), issuer
        \(server.openIDIssuer.absoluteString)

        \(wrapped("Scenario: \(scenario.title). \(scenario.story)"))
        \(faults.map { "\(wrapped("Fault: \($0.behaviour)"))\n" }.joined())
        \(trust)Users and passwords:
        \(TextTable(rows: server.directory.users.map { [$0.username, $0.password, $0.name] }, indent: "  ").text)
        """
    }

    private func wrapped(_ line: String) -> String {
        columns.map { TextFitting.hang(line, after: "", to: $0).joined(separator: "\n") } ?? line
    }

    private var trust: String {
        guard let certificateFile else { return "" }
        return """
            The certificate is for this run. Clients must trust this file:
              keyturn --ca-file \(certificateFile) sign-in
              curl --cacert \(certificateFile) \(server.origin.absoluteString)
            Browsers show a warning first.


            """
    }

    private var configuration: String {
        let profile = DemoSetting.profile(of: server, for: scenario.client)
        let entry = JSONValue(members: [
            "clientId": .string(profile.clientID), "authority": .string(profile.authority.absoluteString),
            "authorityType": (profile.authorityType?.rawValue).map(JSONValue.string),
            "knownAuthorities": JSONValue(profile.knownAuthorities.map(\.absoluteString)),
            "scopes": JSONValue(profile.scopes),
        ])
        return JSONValue.object(["profiles": .object([profile.name: entry])]).document
    }
}
