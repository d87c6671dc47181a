import Glibc
import KeyturnSystem
import LoopbackHTTP
import MSAL

/// A server for other programs of the user, while a command runs or until the user ends it.
struct Door: Sendable {
    let server: LoopbackServer
    /// The variables by which a program finds the door.
    let variables: [String: String]
    var removedVariables: [String] = []
    /// Where its program runs.
    var place = ChildProcess.Place.onTerminal
    /// Called after its program has ended.
    var afterwards: @Sendable () async -> Void = {}

    /// A secret of this run, which fits in a path.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// The environment of a program whose requests to this computer use no proxy: it would get the secret.
    static func withoutProxy(_ environment: [String: String]) -> [String: String] {
        let names = ["NO_PROXY", "no_proxy"]
        let others = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let value = [others, "127.0.0.1"].compactMap(\.self).joined(separator: ",")
        return Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
    }

    /// Serves until the program ends, whose status is this one's; without a program until a signal.
    ///
    /// - Parameters:
    ///   - announcement: what to print when there is no program.
    ///   - entry: the door in the list of open ones.
    func serve(
        _ command: [String], announcement: String, listed entry: DoorFile?, in surroundings: Surroundings
    ) async throws -> ExitCode {
        do throws(LoopbackServerFailure) { try server.serve() } catch {
            throw Failure(.failed, name: "cannotListen", error.reason, nextStep: "Try again.")
        }
        let close: @Sendable () -> Void = { [server] in
            server.stop()
            entry?.remove()
        }
        defer { close() }
        guard command.isEmpty else {
            var environment = surroundings.environment.merging(variables) { $1 }
            for name in removedVariables { environment[name] = nil }
            let exit = try await RunningProgram.run(command, environment, at: place, closing: close)
            close()
            await afterwards()
            ProcessReplacement.end(with: exit)
        }
        try surroundings.output.write(announcement)
        do {
            try await interruptible { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return .done
        } catch let interrupted as Interrupted {
            // SIGTERM stops a service; the other signals interrupt a command.
            return interrupted.signal == SIGTERM ? .done : ExitCode(interrupted)
        }
    }
}

/// The options of commands that open a door.
enum DoorOptions {
    static let port = Option("port", argument: "PORT", standard: "a free one", "Port of this computer to listen on")
    static let socket = Option("socket", argument: "PATH", "Unix socket to create instead of a port")

    static func port(_ options: ParsedOptions) throws(UsageError) -> UInt16 {
        guard let text = options[port] else { return 0 }
        guard options[socket] == nil else { throw .both("--port", "--socket") }
        guard let number = UInt16(text) else {
            throw .badArgument(port, argument: text, wanted: "a number from 0 to 65535")
        }
        return number
    }

    static func server(
        port: UInt16, socket: String?, _ limits: LoopbackServer.Limits, _ handler: StreamHandler
    ) throws(Failure) -> LoopbackServer {
        do throws(LoopbackServerFailure) {
            return try LoopbackServer(port: port, socket: socket, limits: limits, stream: handler)
        } catch {
            throw Failure(
                .failed, name: "cannotListen", error.reason,
                nextStep: socket == nil
                    ? "Choose another port with --port, or leave it out for a free one."
                    : "Choose another --socket, in a folder of your own.")
        }
    }
}
