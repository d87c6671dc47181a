import KeyturnSystem
import LoopbackHTTP
import MSAL

package struct ServeCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "serve", options: [DoorOptions.port, Demand.scope, Demand.account, Demand.tenant, Demand.noInteraction],
        operand: "managed-identity", optionalOperand: "-- COMMAND", takesAnyWords: true)

    @Boxed private var demand: Demand
    private let port: UInt16
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
        port = try DoorOptions.port(options) ?? 0
        guard let kind = options.operands.first else {
            throw .missingOperand("managed-identity", command: Self.specification.name)
        }
        guard kind == "managed-identity" else {
            throw .unknownOperand(kind, wanted: "managed-identity", command: Self.specification.name)
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let command = Array(options.operands.dropFirst())
        if !command.isEmpty { try RunningProgram.check(command, in: surroundings.environment) }
        try CarriedTokens.rejectUse(by: Self.specification.name, demand.settings, in: surroundings.environment)
        let desk = try TokenDesk(demand, in: surroundings)
        let isQuiet = demand.settings.isQuiet
        let scopes = try demand.completed(by: desk.profile).scopes
        let listed = surroundings.list(
            .managedIdentity, of: command.first?.fileName ?? "", at: scopes.joined(separator: " "))
        let identity = ManagedIdentity(
            secret: Door.secret(), scopes: scopes,
            token: { [demand] in try await desk.token(for: demand.naming($0), mayInteract: false).printed() },
            log: { line, isRejected in
                listed?.note(isRejected: isRejected, at: surroundings.now())
                if !isQuiet { surroundings.tell(line) }
            }, now: surroundings.now, advise: SuggestedCommand(options).complete)
        guard !identity.firstScopes.isEmpty else {
            throw Failure(
                .usage, name: "noScopes", "There is no scope to get tokens for.",
                nextStep: "Name scopes with --scope, for example https://vault.azure.net/.default.")
        }
        _ = try await desk.token(for: demand.naming(identity.firstScopes)).printed()
        return try await MSALHTTPConfig.$slowRequests.withValue(nil) {
            let door = try door(identity, in: surroundings)
            listed?.note(port: door.server.port)
            let lines = door.variables.sorted { $0.key < $1.key }.map {
                "export \($0.key)=\(ShellWords.quoted($0.value))\n"
            }
            return try await door.serve(command, announcement: lines.joined(), listed: listed, in: surroundings)
        }
    }

    private func door(_ identity: ManagedIdentity, in surroundings: Surroundings) throws -> Door {
        let server = try DoorOptions.server(port: port, socket: nil, LoopbackServer.Limits(), identity)
        let variables = [
            "IDENTITY_ENDPOINT": "http://127.0.0.1:\(server.port)\(ManagedIdentity.path)",
            "IDENTITY_HEADER": identity.secret,
        ]
        return Door(
            server: server, variables: variables.merging(Door.withoutProxy(surroundings.environment)) { $1 },
            // They would choose another kind of identity, or another endpoint.
            removedVariables: ["IDENTITY_SERVER_THUMBPRINT", "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET"])
    }
}
