import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

package struct MCPCommand: Subcommand {
    private static let client = Option("client", argument: "CLIENT", choices: MCPClient.allCases.map(\.rawValue))

    package static let specification = CommandSpecification(
        name: "mcp", options: [client, APIRequest.header] + Demand.optionsOfAPI, operand: "URL")

    /// How long the user may take to sign in.
    private static let patience = Duration.seconds(300)

    @Boxed var demand: Demand
    private let url: URL
    private let request: APIRequest
    private let client: MCPClient?
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        (demand, url) = try Demand.ofAPI(options, Self.specification)
        request = try APIRequest(url, method: nil, headers: options.all(APIRequest.header), data: nil)
        client = options[Self.client].flatMap(MCPClient.init)
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let call = try request.call()
        if let client {
            try surroundings.output.write(try configuration(for: client, in: surroundings.environment))
            return .done
        }
        try CarriedTokens.rejectUse(by: Self.specification.name, demand.settings, in: surroundings.environment)
        let relay = try relay(call, in: surroundings)
        let lines = LineInput.lines(of: STDIN_FILENO, mostBytes: MCPMessage.mostBytes)
        let door = surroundings.list(.mcp, of: "", at: url.absoluteString)
        return try await interruptible {
            try await relay.run(lines) { door?.note(at: surroundings.now()) }
            return .done
        }
    }

    private func relay(_ call: APICall, in surroundings: Surroundings) throws -> MCPRelay {
        let (inside, isQuiet) = (surroundings.besideMessages, demand.settings.isQuiet)
        let demand = demand.atServer(in: inside.environment)
        var profile = try demand.profile(in: inside)
        let usesBroker = profile.methods.contains(.broker)
        let hasBrowser =
            inside.machine.hasDisplay || inside.machine.namesBrowser || profile.browser != nil || inside.browser != nil
        // Standard input is the client's, and nobody may see what asks for a code. With a method after it, a browser that
        // doesn't start ends the sign-in.
        (profile.method, profile.nextMethods) = (usesBroker ? .broker : .browser, [.paste])
        let desk = try TokenDesk(
            demand, profile, mayInteract: hasBrowser || usesBroker, longestUse: 10, patience: Self.patience, in: inside)
        let suggested = SuggestedCommand(options, resource: demand.resource)
        return MCPRelay(MCPConnection(call, desk, demand, in: inside.environment), output: surroundings.output) {
            line in
            if !isQuiet { inside.tell("keyturn: \(Printable.sanitize(line))\n") }
        } report: { error in
            var failure = Failure(reporting: (error as? ServersError)?.failure ?? error)
            if failure.name == PlainSignIn.nothingPasted {
                failure = Failure(
                    .interactionRequired, name: "noBrowser", "The browser for the sign-in didn't start.",
                    nextStep: "Run 'keyturn sign-in'.")
            }
            failure.advice = suggested.complete(failure.advice)
            return failure
        }
    }

    private func configuration(for client: MCPClient, in environment: [String: String]) throws -> String {
        // The client starts its servers without the variables of this shell.
        let file = ConfigurationFile.locate(named: options[.config], in: environment)
        let config = file.isOfVariable ? ["--\(Option.config.long)", URL(filePath: file.path).path] : []
        let words = ["mcp"] + config + options.words(without: Self.client) + [url.absoluteString]
        return client.lines(name: url.hostAndPort, program: try InstalledFile.program(), words)
    }
}

extension Surroundings {
    /// For a command whose standard input and output belong to another program.
    fileprivate var besideMessages: Surroundings {
        var inside = self
        inside.output = errors
        (inside.hasTerminal, inside.hasTypedInput, inside.lacksInput) = (false, false, true)
        inside.pastes = { AsyncStream { $0.finish() } }
        inside.typedLine = { nil }
        return inside
    }
}
