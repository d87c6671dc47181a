import Console
import Foundation
import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

/// `keyturn mcp`.
package struct MCPCommand: Subcommand {
    private static let client = Option(
        "client", argument: "CLIENT", choices: MCPClient.allCases.map(\.rawValue),
        "Print the lines for this client's configuration file, with these options")

    package static let specification = CommandSpecification(
        name: "mcp", summary: "Relay between an agent and a remote MCP server, with a token",
        discussion: """
            A server on standard input and output for a client of the Model Context Protocol, which relays to the server at the
            URL (Streamable HTTP). The client never has a token. Only messages of the protocol go to standard output.

            Tokens are got and refreshed as with 'keyturn call'. If the user must sign in, opens the browser, for 5 minutes at most and
            once for each demand. Without a browser, responds with an error that says what to do. Sign in beforehand with
            'keyturn sign-in --resource URL': clients wait only seconds for a server to start.
            """,
        options: [client, APIRequest.header] + APIAccess.options, operand: "URL",
        examples: [
            "keyturn mcp https://mail.example.com/mcp",
            "keyturn mcp --client claude-code https://mail.example.com/mcp",
            "keyturn mcp --scope User.Read --no-interaction https://mail.example.com/mcp",
        ])

    /// How long the user may take to sign in.
    private static let patience = Duration.seconds(300)

    let access: APIAccess
    private let request: APIRequest
    private let client: MCPClient?
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        access = try APIAccess(options, of: Self.specification)
        request = try APIRequest(
            access.url, method: nil, headers: options.all(APIRequest.header), data: nil)
        client = options[Self.client].flatMap(MCPClient.init)
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let call = try request.call()
        if let client {
            try surroundings.output.write(try configuration(for: client, in: surroundings.environment))
            return .done
        }
        let relay = try relay(call, in: surroundings)
        let lines = LineInput.lines(of: STDIN_FILENO, mostBytes: MCPMessage.mostBytes)
        let door = surroundings.list(.mcp, of: "", at: access.url.absoluteString)
        return try await interruptible {
            try await relay.run(lines) { door?.note(at: surroundings.now()) }
            return .done
        }
    }

    private func relay(_ call: APICall, in surroundings: Surroundings) throws -> MCPRelay {
        let (inside, isQuiet) = (surroundings.besideMessages, access.settings.isQuiet)
        var interactive = try access.tokens(in: inside)
        var silent = interactive
        silent.mayInteract = false
        let usesBroker = interactive.profile.methods.contains(.broker)
        let hasBrowser =
            inside.machine.hasDisplay || inside.machine.namesBrowser || interactive.profile.browser != nil
            || inside.browser != nil
        interactive.mayInteract = interactive.mayInteract && (hasBrowser || usesBroker)
        // Standard input is the client's, and nobody may see what asks for a code. With a method after it, a browser that
        // doesn't start ends the sign-in.
        (interactive.profile.method, interactive.profile.nextMethods) = (usesBroker ? .broker : .browser, [.paste])
        let shortLived = silent.using(untilExpiryIn: 1)
        let limits = RejectionLimits(now: inside.now)
        interactive.willSignIn = { [server = access.url.hostAndPort] in try limits.openWindow(for: server) }
        let tokens = MCPTokens(now: inside.now, limits) { [interactive, silent] demand, mayInteract, isShortLived in
            guard demand.means != .first else {
                return try await (isShortLived ? shortLived : silent).token(for: demand)
            }
            guard mayInteract, interactive.mayInteract else { return try await silent.token(for: demand) }
            let result = await within(Self.patience) {
                await Result { try await interactive.token(for: demand) }
            }
            guard let result else { throw Self.tookTooLong }
            do {
                return try result.get()
            } catch let failure as Failure where failure.name == PlainSignIn.nothingPasted {
                throw Self.noBrowser
            }
        }
        let connection = MCPConnection(
            call, tokens: tokens, certificates: interactive.profile.certificateAuthorityFile,
            in: inside.environment)
        let suggested = SuggestedCommand(options, resource: access.resource(in: inside.environment))
        return MCPRelay(connection, output: surroundings.output) { line in
            if !isQuiet { inside.tell("keyturn: \(Printable.sanitize(line))\n") }
        } report: { error in
            var failure = Failure(reporting: (error as? ServersError)?.failure ?? error)
            failure.advice = suggested.complete(failure.advice)
            return failure
        }
    }

    private static let tookTooLong = Failure(
        .interactionRequired, name: "signInTimeout",
        "Nobody signed in within 5 minutes.", nextStep: "Run 'keyturn sign-in'.")

    private static let noBrowser = Failure(
        .interactionRequired, name: "noBrowser", "The browser for the sign-in didn't start.",
        nextStep: "Run 'keyturn sign-in'.")

    private func configuration(for client: MCPClient, in environment: [String: String]) throws -> String {
        let files: [Option] = [.config, .cache, .certificates]
        var words = ["mcp"]
        // The client starts its servers without the variables of this shell.
        if options[.config] == nil, let path = environment["KEYTURN_CONFIG"], !path.isEmpty {
            words += ["--\(Option.config.long)", URL(filePath: path).path]
        }
        for given in options.given where given.option != Self.client {
            words.append("--\(given.option.long)")
            guard let argument = given.argument else { continue }
            // A client starts its servers in any folder.
            words.append(files.contains(given.option) ? URL(filePath: argument).path : argument)
        }
        words.append(access.url.absoluteString)
        return client.lines(name: access.url.hostAndPort, program: try InstalledFile.program(), words)
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

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
