import Foundation
import KeyturnSystem
import MSAL

package struct GateCommand: Subcommand {
    private static let allow = Option("allow", argument: "'METHOD PATH'", isRepeatable: true)
    private static let confirmation = Option("ask")

    package static let specification = CommandSpecification(
        name: "gate",
        options: [allow, DoorOptions.socket, DoorOptions.port, confirmation, Demand.scope] + Demand.options,
        operand: "URL", optionalOperand: "-- COMMAND", takesAnyWords: true)

    @Boxed private var demand: Demand
    private let origin: URL
    private let rules: [GateRule]
    private let port: UInt16
    private let options: ParsedOptions
    private var socketPath: String? { options[DoorOptions.socket] }
    private var command: [String] { Array(options.operands.dropFirst()) }

    package init(_ options: ParsedOptions) throws(UsageError) {
        self.options = options
        let operand = options.operands.first ?? ""
        guard let url = URL(string: operand), url.isSecureOrigin, url.query == nil else {
            if operand.isEmpty { throw .missingOperand("URL", command: Self.specification.name) }
            throw .unknownOperand(operand, wanted: "an https URL without a query", command: Self.specification.name)
        }
        origin = url
        demand = try Demand(options).sent(to: url)
        rules = try options.all(Self.allow).map { text throws(UsageError) in
            guard let rule = GateRule(text) else {
                throw .badArgument(Self.allow, argument: text, wanted: "a method and a path, for example 'GET /mail/*'")
            }
            return rule
        }
        port = try DoorOptions.port(options) ?? 0
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let (demand, confirms) = (demand.atServer(in: surroundings.environment), options.has(Self.confirmation))
        if !command.isEmpty { try RunningProgram.check(command, in: surroundings.environment) }
        guard !confirms || GateQuestion.hasTerminal else {
            throw Failure(
                .usage, name: "noTerminal", "There is no terminal to ask on.", nextStep: "Use --allow instead of --ask."
            )
        }
        try CarriedTokens.rejectUse(by: Self.specification.name, demand.settings, in: surroundings.environment)
        let desk = try TokenDesk(demand, in: surroundings)
        _ = try await desk.token(for: demand).printed()
        let secret = socketPath == nil ? Door.secret() : nil
        let isQuiet = demand.settings.isQuiet
        let listed = surroundings.list(.gate, of: command.first?.fileName ?? "", at: origin.absoluteString)
        let question = confirms ? GateQuestion(surroundings.tell) : nil
        let gate = Gate(
            origin: origin, rules: rules, secret: secret, desk: desk, demand: demand,
            transport: BodyOutput.transport(
                certificates: desk.profile.certificateAuthorityFile, in: surroundings.environment), question: question,
            log: { line, isRejected in
                listed?.note(isRejected: isRejected, at: surroundings.now())
                guard !isQuiet else { return }
                if let question { question.tell(line) } else { surroundings.tell(line) }
            }, progress: { listed?.note(running: $0) }, now: surroundings.now,
            advise: SuggestedCommand(options).complete)
        return try await MSALHTTPConfig.$slowRequests.withValue(nil) {
            var door = try door(gate, in: surroundings)
            if confirms { door.place = .onOwnTerminal }
            listed?.note(port: door.server.port, allowed: rules.map(\.text))
            let address = socketPath ?? door.variables["KEYTURN_GATE_URL"] ?? ""
            return try await door.serve(command, announcement: "\(address)\n", listed: listed, in: surroundings)
        }
    }

    private func door(_ gate: Gate, in surroundings: Surroundings) throws -> Door {
        let server = try DoorOptions.server(port: port, socket: socketPath, Gate.limits, gate)
        guard let socketPath else {
            let variables = ["KEYTURN_GATE_URL": "http://127.0.0.1:\(server.port)/\(gate.secret ?? "")"]
            return Door(
                server: server, variables: variables.merging(Door.withoutProxy(surroundings.environment)) { $1 })
        }
        return Door(
            server: server,
            variables: [
                "KEYTURN_GATE_URL": "http://localhost", "KEYTURN_GATE_SOCKET": URL(fileURLWithPath: socketPath).path,
            ])
    }
}
